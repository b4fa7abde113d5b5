"""Clients of the service: `Client`, and `AsyncClient` for asyncio; plain JSON comes back."""

from .clients import AsyncClient, Client

__all__ = ["AsyncClient", "Client"]
