"""The service: HTTP with streaming, MCP and the page, over one Hoptrail object; extra `service`."""
