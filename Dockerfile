# Builds from a checkout alone: docker build -t signalbox .
FROM node:24-slim AS build
WORKDIR /app
ENV NEXT_TELEMETRY_DISABLED=1
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN SIGNALBOX_STANDALONE=1 npm run build

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production HOSTNAME=0.0.0.0 PORT=3000 SIGNALBOX_DATA_DIR=/data
# Only what the build traced: no development dependency, no source but the server's entry and the migrations.
COPY --from=build /app/.next/standalone ./
COPY --from=build /app/.next/static ./.next/static
COPY --from=build /app/.next/routes.mjs /app/.next/scan-worker.mjs /app/.next/token-worker.mjs /app/.next/prepare-worker.mjs ./.next/
RUN install --directory --owner=node --group=node --mode=700 /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Four times the default space for new objects: most of a request's end in it.
CMD ["node", "--max-semi-space-size=64", "lib/server/standalone.mjs"]
