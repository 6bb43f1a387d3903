# docker build -t evertick .
# docker run --rm -p 127.0.0.1:7777:7777 evertick --insecure
# docker run --rm -p 7777:7777 -v ./password:/run/password:ro evertick --password-file /run/password
#
# The image listens on every address of its container, so that -p can reach it; evertick refuses that
# without protection and says which ways there are. `-e EVERTICK_BIND=127.0.0.1` suits --network host.

FROM debian:bookworm-slim AS build
WORKDIR /source
# The packages first: their layer is kept while only sources change.
COPY scripts/packages scripts/install_packages scripts/
RUN scripts/install_packages build && rm -rf /var/lib/apt/lists/*
COPY . .
RUN cmake --preset release -DEVERTICK_TESTS=OFF \
    && cmake --build --preset release --target evertick \
    && strip -o /usr/local/bin/evertick build/release/evertick

FROM debian:bookworm-slim
LABEL org.opencontainers.image.title="evertick" \
      org.opencontainers.image.description="Headless game-simulation server" \
      org.opencontainers.image.licenses="MIT"
COPY scripts/packages scripts/install_packages /tmp/scripts/
# The user is a number, so that orchestrators can tell that it is not root.
RUN /tmp/scripts/install_packages runtime \
    && rm -rf /var/lib/apt/lists/* /var/log/apt /var/log/dpkg.log /tmp/scripts \
    && install -d -o 7777 -g 7777 /data
COPY --from=build /usr/local/bin/evertick /usr/local/bin/evertick
USER 7777:7777
WORKDIR /data
VOLUME /data
ENV EVERTICK_BIND=0.0.0.0
EXPOSE 7777
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --retries=3 CMD ["evertick", "--healthcheck"]
ENTRYPOINT ["evertick"]
