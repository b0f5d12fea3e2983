/** The subscription of a browser to notifications. */
export const WEB_PUSH_SCRIPT = `// Asks for leave to notify, has the browser subscribe, and sends its subscription with the form.
'web-push': function (part) {
  var form = part.querySelector('form'), worker = navigator.serviceWorker, key = part.dataset.key;
  function show(name) {
    part.querySelectorAll('[data-when]').forEach(function (one) {
      one.hidden = one.dataset.when !== name;
    });
  }
  function check() {
    show(Notification.permission === 'denied' ? 'denied' : 'ready');
  }
  if (!worker || !window.PushManager || !window.Notification) return show('unsupported');
  check();
  form.addEventListener('submit', function (event) {
    event.preventDefault();
    Notification.requestPermission().then(function (permission) {
      if (permission !== 'granted') return check();
      return worker.register(part.dataset.worker).then(function () {
        return worker.ready;
      }).then(function (registration) {
        var manager = registration.pushManager;
        return manager.getSubscription().then(function (known) {
          // It may be of a former key, or of an account that was signed in here.
          return known && known.unsubscribe();
        }).then(function () {
          return manager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
        });
      }).then(function (subscription) {
        var values = subscription.toJSON();
        form.elements.endpoint.value = values.endpoint;
        form.elements.p256dh.value = values.keys.p256dh;
        form.elements.auth.value = values.keys.auth;
        form.elements.applicationServerKey.value = key;
        form.submit();
      });
    }).catch(function () {
      show('failed');
      form.parentNode.hidden = false;
    });
  });
}`;
