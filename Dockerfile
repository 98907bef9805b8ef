# Runs the server by default, and with other commands the mail worker (`node worker/main.ts`), the team's console (`node
# console/main.ts`) or the command line (`waitlist`). It writes only to the KEPT_ASSETS folder, if set, so its root file
# system can be read-only.
ARG BASE=node:26-trixie-slim

FROM ${BASE} AS site
WORKDIR /app
COPY .npmrc package.json package-lock.json ./
RUN npm ci --no-audit
COPY . .
RUN npm run build

FROM ${BASE} AS packages
WORKDIR /app
COPY .npmrc package.json package-lock.json ./
# The optional dependencies are Node, which the base image has, and a PostgreSQL for development.
RUN npm ci --no-audit --omit=dev --omit=optional
# Node ignores the packages' TypeScript and source maps, a third of their size.
RUN find node_modules -type f -regex '.*\.\([cm]?ts\|map\)' -delete

FROM ${BASE}
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json ./
COPY brand brand
COPY console/api console/api
COPY console/contract console/contract
COPY console/http console/http
COPY console/json console/json
COPY console/sign-in console/sign-in
COPY console/*.ts console/
COPY contract contract
COPY core core
COPY server server
COPY worker worker
COPY cli cli
COPY --from=site /app/dist dist
COPY --from=site /app/dist-console dist-console
RUN ln -s /app/cli/waitlist.ts /usr/local/bin/waitlist && install --directory --owner=1000 /var/lib/farwatch
# Probes and Prometheus connect from outside the container. Other machines reach only published ports.
ENV NODE_ENV=production HOST=0.0.0.0 PRIVATE_HOST=0.0.0.0 PRIVATE_PORT=3001
# A number, so that Kubernetes' runAsNonRoot can tell that it isn't root.
USER 1000:1000
EXPOSE 3000
# The check starts a Node process, which can take seconds on a busy machine.
HEALTHCHECK --interval=10s --timeout=10s --start-period=30s \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PRIVATE_PORT}/ready`).then(({ ok }) => process.exit(ok ? 0 : 1))"]
CMD ["node", "server/main.ts"]
