/** Below the path of the pages, which is its scope: it sees no other page, and it stores none. */
export const SERVICE_WORKER_PATH = 'service-worker.js';

/**
 * Create the script that shows pushes while no page is open, and opens the page that one is about. Pushes have ids only, so
 * that it opens no address that somebody else chose.
 * @param name of the service, for a push that cannot be read: browsers require that each is shown
 */
export function createServiceWorker(name: string): string {
  return `'use strict';
addEventListener('install', function () {
  skipWaiting();
});
addEventListener('push', function (event) {
  var push = {};
  try {
    push = event.data.json();
  } catch (error) {}
  event.waitUntil(registration.showNotification(push.title || ${JSON.stringify(name).replaceAll('<', '\\u003c')}, {
    body: push.body || '',
    tag: push.tag,
    data: push.data || {}
  }));
});
addEventListener('notificationclick', function (event) {
  event.notification.close();
  var id = event.notification.data.notificationId;
  var path = /^[0-9a-f]{24}$/.test(id) ? registration.scope + 'notifications/' + id : registration.scope.slice(0, -1);
  event.waitUntil(clients.openWindow(path));
});
`;
}
