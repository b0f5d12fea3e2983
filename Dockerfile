# For the same bytes each time: name@sha256:… (docker buildx imagetools inspect node:24-bookworm-slim), in both stages.
FROM node:24-bookworm-slim AS build
WORKDIR /source
# Manifests before sources: the packages are installed again only when these change.
COPY package.json package-lock.json ./
COPY packages/client/package.json packages/client/
COPY packages/embedded-postgres/package.json packages/embedded-postgres/
COPY packages/oidc-emulator/package.json packages/oidc-emulator/
COPY packages/stripe-emulator/package.json packages/stripe-emulator/
# The build needs no script of a package.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run package
# What operators install from the archive is what the image has.
WORKDIR /app
RUN tar -xzf /source/qr-profile-service-*.tar.gz --strip-components=1 \
  && npm ci --omit=dev --no-audit --no-fund \
  && sh /source/scripts/build/remove-unused-files.sh \
  && mkdir -p data/uploads backups

# Node and the C library, without a shell and package manager. The packages' binaries need glibc.
FROM gcr.io/distroless/nodejs24-debian13:nonroot
ENV PATH=/nodejs/bin:/usr/bin:/bin
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data UPLOADS_DIR=/data/uploads
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/prisma ./prisma
COPY --from=build /app/locales ./locales
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build --chown=65532:65532 /app/data /data
# A volume at /backups gets the owner of this folder.
COPY --from=build --chown=65532:65532 /app/backups /backups
# By number, which Kubernetes can tell from root.
USER 65532:65532
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# The base image would put `node` in front of each command.
ENTRYPOINT []
# With WORKER=separate another container of this image runs `node dist/commands/worker.js`, with the same settings and volume.
CMD ["node", "dist/server.js"]
