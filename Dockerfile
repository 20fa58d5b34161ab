# A server of tensemem: docker build -t tensemem .
# docs/how-to/run-in-containers.md tells how it is run, with a file or with PostgreSQL (compose.yaml).
ARG PYTHON=3.13

FROM python:${PYTHON}-slim AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE NOTICE ./
COPY src ./src
RUN python -m venv /opt/tensemem \
 && /opt/tensemem/bin/pip install --no-cache-dir ".[server,mcp,postgres,encrypted]"

FROM python:${PYTHON}-slim
RUN groupadd --system --gid 10001 tensemem \
 && useradd --system --uid 10001 --gid tensemem --home-dir /data --no-create-home --shell /usr/sbin/nologin tensemem \
 && install -d -o tensemem -g tensemem -m 0700 /data
COPY --from=build /opt/tensemem /opt/tensemem
COPY containers/prepare.py containers/healthy.py /opt/tensemem/
ENV PATH=/opt/tensemem/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    TENSEMEM_DB=/data/memory.db
# Numbers, so that whoever runs it can tell that it is not root.
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 7340
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 CMD ["python", "/opt/tensemem/healthy.py"]
ENTRYPOINT ["tensemem"]
# Within a container there is no other way in than the ports that are published; TLS is for what stands before it.
CMD ["serve", "--host", "0.0.0.0", "--insecure-no-tls"]
