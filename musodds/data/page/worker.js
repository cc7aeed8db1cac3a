// Keeps the page on the device: it opens without a network, and is renewed when there is one.
const CACHE = "musodds-@version@", FILES = @files@;

addEventListener("install", event => {
  event.waitUntil(caches.open(CACHE).then(cache => cache.addAll(FILES)).then(() => skipWaiting()));
});

addEventListener("activate", event => {
  event.waitUntil(caches.keys()
    .then(names => Promise.all(names
      .filter(name => name.startsWith("musodds-") && name !== CACHE)
      .map(name => caches.delete(name))))
    .then(() => clients.claim()));
});

addEventListener("fetch", event => {
  if (event.request.method !== "GET") return;
  event.respondWith(caches.match(event.request, { ignoreSearch: true })
    .then(found => found ?? fetch(event.request)));
});
