# A small image: the service and what it needs at run time, as a user without rights, on a file system that is not written.
#   docker build -t dealdesk .
#   docker run --read-only --tmpfs /tmp -v dealdesk:/data -p 127.0.0.1:8080:8080 -e SET_UP=true dealdesk
FROM node:24-alpine AS package
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# The compiler is needed to pack; the browser and the database servers of the tests are not.
RUN npm ci --ignore-scripts
COPY tsconfig.json README.md LICENSE CHANGELOG.md ./
COPY tools/package tools/package
COPY docs docs
COPY deploy deploy
COPY src src
RUN npm pack --pack-destination / \
  && npm install --omit=dev --ignore-scripts --prefix /app /dealdesk-*.tgz

FROM node:24-alpine
COPY --from=package /app /app
RUN mkdir /data && chown node:node /data
USER node
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  PORT=8080 \
  DATABASE_URL=/data/dealdesk.db \
  NODE_COMPILE_CACHE=/tmp/dealdesk
VOLUME /data
EXPOSE 8080
# Without curl: the image has Node.
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/node_modules/dealdesk/dist/start.js"]
CMD ["serve"]
