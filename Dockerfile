# Hoptrail's service: docker build -t hoptrail . && docker run --rm -p 127.0.0.1:8321:8321 -v hoptrail:/data hoptrail
# Two stages: what builds stays behind. For processors: PyTorch comes from its index of CPU builds, 4 GB less.
FROM python:3.11-slim-bookworm AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /opt/hoptrail
ENV PATH=/opt/hoptrail/bin:$PATH
# The heaviest first: a change in the code does not fetch it anew.
RUN pip install --index-url https://download.pytorch.org/whl/cpu torch
COPY . /src
# pip compiles what it installs, which a read-only root could not keep later.
RUN pip install "/src[service]"

FROM python:3.11-slim-bookworm
RUN useradd --uid 10001 --no-create-home --home-dir /data hoptrail \
    && install --directory --owner hoptrail --group hoptrail /data
COPY --from=build /opt/hoptrail /opt/hoptrail
ENV PATH=/opt/hoptrail/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    # The encoder comes with the installation: no hub is asked for anything.
    HF_HUB_OFFLINE=1 \
    HOPTRAIL_CACHE=/data/cache \
    HOPTRAIL_GRAPH=/data/hoptrail.db
# By its number, by which an orchestrator can see that it is not root's.
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8321
# 90 s to load the models; after that it answers at once or is ill. There is no curl in here.
HEALTHCHECK --interval=10s --timeout=5s --start-period=90s --retries=3 \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8321/ready', timeout=4)"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["hoptrail"]
# Published ports reach the container from outside, so it listens to all of its addresses. Without --keys whoever
# reaches the port may do everything: publish it on 127.0.0.1 alone, or give --keys.
CMD ["serve", "--host", "0.0.0.0", "--insecure"]
