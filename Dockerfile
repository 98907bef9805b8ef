# The server; by other commands also the mail worker (`node worker/main.ts`) and the operators' tool (`waitlist`).
# It writes nowhere but into the folder of KEPT_ASSETS, where that is set, so its root may be read-only.
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
# What is optional is Node, which the base has, and PostgreSQL, which is elsewhere.
RUN npm ci --no-audit --omit=dev --omit=optional
# Node runs no TypeScript of packages and reads no source maps: a third of their size.
RUN find node_modules -type f -regex '.*\.\([cm]?ts\|map\)' -delete

FROM ${BASE}
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json ./
COPY brand brand
COPY charts charts
COPY contract contract
COPY core core
COPY server server
COPY worker worker
COPY cli cli
COPY --from=site /app/dist dist
RUN ln -s /app/cli/waitlist.ts /usr/local/bin/waitlist && install --directory --owner=1000 /var/lib/farwatch
ENV NODE_ENV=production HOST=0.0.0.0 PRIVATE_PORT=3001
# By number, so that whoever forbids root can tell that it is another.
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=15s \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PRIVATE_PORT}/ready`).then(({ ok }) => process.exit(ok ? 0 : 1))"]
CMD ["node", "server/main.ts"]
