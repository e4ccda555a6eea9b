# A small image of the service: docker build -t food-lookup . (docs/deployment.md says how to run it, and what was tested)

# The base is a version, not a digest, so that each build (--pull) has the latest corrections of Debian and Node.js. What
# must not change between builds is the image itself: deploy it by its own digest.
FROM node:24-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build
RUN npm prune --omit=dev --no-audit --no-fund

FROM node:24-slim
LABEL org.opencontainers.image.title="food-lookup" org.opencontainers.image.licenses="MIT" org.opencontainers.image.version="2.0.0"
ENV NODE_ENV=production PORT=3001 THREADS=1
WORKDIR /app
COPY --from=build /src/package.json /src/LICENSE ./
COPY --from=build /src/node_modules ./node_modules
COPY --from=build /src/dist ./dist
COPY --from=build /src/data ./data
# This user owns none of the files, so the service can change none of them.
USER node
EXPOSE 3001
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.OPERATIONS_PORT || process.env.PORT}/health/ready`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/service/cli/main.js", "serve"]
