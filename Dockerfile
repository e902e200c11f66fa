# A small image: the service and what it needs at run time, as a user without rights, on a file system that is not written.
#   docker build -t dealdesk:0.5.0-dev -t dealdesk .
#   docker run --read-only --tmpfs /tmp -v dealdesk:/data -p 127.0.0.1:8080:8080 -e SET_UP=true dealdesk
FROM node:24.21.0-alpine AS package
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY tools/package tools/package
# The compiler is needed to pack; what the tests need is not fetched.
RUN node tools/package/only-to-pack.ts && npm ci --ignore-scripts
COPY tsconfig.json README.md LICENSE CHANGELOG.md ./
COPY docs docs
COPY deploy deploy
COPY src src
# The package has its lock, so the image has the versions that were tested.
RUN npm pack --pack-destination / \
  && npm install --omit=dev --ignore-scripts --prefix /app /dealdesk-*.tgz

FROM node:24.21.0-alpine
COPY --from=package /app /app
RUN mkdir /data && chown node:node /data
USER node
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  PORT=8080 \
  DATABASE_URL=/data/dealdesk.db \
  NODE_COMPILE_CACHE=/tmp/dealdesk \
  SQLITE_TMPDIR=/data
VOLUME /data
EXPOSE 8080
# busybox's wget: a Node for each check would take a thirtieth of a core, always.
HEALTHCHECK --interval=5s --timeout=3s --start-period=1h --start-interval=1s --retries=3 \
  CMD wget -q -T 2 -O /dev/null "http://127.0.0.1:$PORT/health/ready" || exit 1
ENTRYPOINT ["node", "/app/node_modules/dealdesk/dist/start.js"]
CMD ["serve"]
