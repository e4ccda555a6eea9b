/** Takes the place of `worker.ts` where the service is not to be kept: removes what was kept, and then itself. */
declare const self: ServiceWorkerGlobalScope;

export {};

self.addEventListener('install', () => void self.skipWaiting());

self.addEventListener('activate', (event) =>
  event.waitUntil(caches.delete('food-lookup').then(() => self.registration.unregister())),
);
