import { createHash } from 'node:crypto';

/** What pages for owners do better with a script; each works without it. */
export const PAGE_SCRIPT = `(function () {
  // Back after signing out shows a page that the browser kept in memory.
  addEventListener('pageshow', function (event) {
    if (event.persisted) location.reload();
  });

  // Send a form once: a second click would show the error of the repeated request.
  document.addEventListener('submit', function (event) {
    var form = event.target, button = event.submitter;
    if (form.method !== 'post' || (button && button.formTarget)) return;
    if (form.dataset.sending) return event.preventDefault();
    if (event.defaultPrevented) return;
    form.dataset.sending = 'yes';
    setTimeout(function () {
      delete form.dataset.sending;
    }, 5000);
  });

  var scripts = {
    // Sent at the sixth digit, which a phone fills in or somebody pastes.
    'one-time-code': function (field) {
      field.addEventListener('input', function () {
        var digits = field.value.replace(/\\D/g, '');
        if (digits.length !== 6 || field.form.dataset.sent) return;
        field.form.dataset.sent = 'yes';
        field.value = digits;
        field.form.requestSubmit();
      });
      field.focus();
    },
    // The fragment reaches no server, log or Referer header.
    'reset-link': function (field) {
      if (location.hash.indexOf('#token=') !== 0) return;
      field.value = location.href;
      field.hidden = true;
      document.querySelector('label[for=link]').hidden = true;
      var hint = document.getElementById('link-hint');
      if (hint) hint.hidden = true;
      history.replaceState(null, '', location.pathname + location.search);
    },
    'time-zone': function (field) {
      field.value = Intl.DateTimeFormat().resolvedOptions().timeZone || '';
    },
    // Without the script, people select the text.
    'copy': function (button) {
      if (!navigator.clipboard) return;
      button.hidden = false;
      button.addEventListener('click', function () {
        navigator.clipboard.writeText(document.getElementById(button.dataset.copies).textContent).then(function () {
          button.textContent += ' ✓';
          button.disabled = true;
        });
      });
    },
    // Hands the text to another application of the phone.
    'share': function (button) {
      if (!navigator.share) return;
      button.hidden = false;
      button.addEventListener('click', function () {
        navigator.share({ url: document.getElementById(button.dataset.copies).textContent }).catch(function () {});
      });
    },
    // Shows how much of a file is sent.
    'upload': function (part) {
      var form = part.closest('form'), bar = part.querySelector('progress'), button = form.querySelector('button');
      form.addEventListener('submit', function (event) {
        event.preventDefault();
        if (button.disabled) return;
        var request = new XMLHttpRequest();
        request.open('POST', form.action);
        request.responseType = 'document';
        request.upload.addEventListener('progress', function (sent) {
          if (sent.lengthComputable) bar.value = sent.loaded / sent.total * 100;
        });
        request.addEventListener('load', function () {
          var main = request.response && request.response.querySelector('main');
          if (request.responseURL !== form.action || !main) return location.assign(request.responseURL);
          document.querySelector('main').replaceWith(main);
          run(main);
        });
        // The browser says what went wrong.
        request.addEventListener('error', function () {
          form.submit();
        });
        request.send(new FormData(form));
        button.disabled = true;
        part.hidden = false;
      });
    },
    'print': function (button) {
      button.hidden = false;
      button.addEventListener('click', function () {
        print();
      });
    },
    // Offers the time zone of the browser where the account has another one.
    'browser-time-zone': function (button) {
      var field = document.getElementById('timeZone');
      var zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
      var isKnown = Array.prototype.some.call(field.options, function (option) {
        return option.value === zone;
      });
      if (!isKnown || field.value === zone) return;
      button.textContent = button.textContent.replace('{zone}', zone);
      button.hidden = false;
      button.addEventListener('click', function () {
        field.value = zone;
        button.hidden = true;
      });
    },
    'send-by-keyboard': function (field) {
      field.addEventListener('keydown', function (event) {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        field.form.requestSubmit();
      });
    },
    // Asks every 15 seconds, or as often as the part says, while the page is visible and for eight hours at most. Forms beside the part stay as they are.
    'live': function (part) {
      var state = part.dataset.state, pause = (part.dataset.seconds || 15) * 1000, stopsAt = Date.now() + 8 * 3600000, askedAt = Date.now(), isAsking = false;
      var notice = document.createElement('p');
      notice.className = 'visually-hidden';
      notice.setAttribute('role', 'status');
      part.after(notice);
      var timer = setInterval(ask, pause);
      document.addEventListener('visibilitychange', function () {
        if (timer && Date.now() - askedAt >= pause) ask();
      });
      function stop() {
        clearInterval(timer);
        timer = null;
      }
      function load(address) {
        return fetch(address, { credentials: 'same-origin' }).then(function (response) {
          if (response.redirected || response.status === 404) stop();
          if (!response.ok || response.redirected) throw response;
          return response.text();
        });
      }
      function ask() {
        if (Date.now() > stopsAt) stop();
        if (!timer || isAsking || document.hidden) return;
        isAsking = true;
        askedAt = Date.now();
        load(part.dataset.updates)
          .then(function (current) {
            if (current !== state) return load(location.pathname + location.search).then(show);
          })
          .catch(function () {})
          .then(function () {
            isAsking = false;
          });
      }
      function show(markup) {
        var page = new DOMParser().parseFromString(markup, 'text/html');
        var next = page.getElementById(part.id);
        var inbox = '.nav [href$="/inbox"]';
        if (!next) return stop();
        // There is nothing more to come.
        if (!next.dataset.updates) stop();
        state = next.dataset.state;
        part.replaceChildren.apply(part, next.childNodes);
        document.querySelector(inbox).innerHTML = page.querySelector(inbox).innerHTML;
        notice.textContent = '';
        setTimeout(function () {
          notice.textContent = part.dataset.text;
        }, 100);
      }
    },
    // Replaces what the frame shows while somebody types: navigations of it would be steps of Back.
    'preview': function (button) {
      var frame = document.querySelector('iframe[name=preview]');
      var asked = 0, timer;
      button.hidden = true;
      button.form.addEventListener('input', function () {
        frame.loading = 'eager';
        clearTimeout(timer);
        timer = setTimeout(show, 500);
      });
      function show() {
        var number = ++asked, body = new URLSearchParams(new FormData(button.form));
        fetch(button.formAction, { method: 'POST', body: body, credentials: 'same-origin' })
          .then(function (response) {
            if (!response.ok || response.redirected) throw response;
            return response.text();
          })
          .then(function (markup) {
            var shown = frame.contentDocument;
            if (number !== asked) return;
            // Its first page has not come yet, whose policy allows the style.
            if (shown.URL === 'about:blank') return frame.addEventListener('load', show, { once: true });
            var page = new DOMParser().parseFromString(markup, 'text/html');
            // The policy of its first page does not allow the style of another color.
            var sheet = new frame.contentWindow.CSSStyleSheet();
            page.querySelectorAll('style + style').forEach(function (style) {
              sheet.replaceSync(style.textContent);
            });
            shown.documentElement.replaceWith(shown.adoptNode(page.documentElement));
            shown.adoptedStyleSheets = [sheet];
          })
          .catch(function () {
            button.hidden = false;
          });
      }
    },
    'select-all': function (label) {
      var box = label.querySelector('input');
      label.hidden = false;
      box.addEventListener('change', function () {
        document.querySelectorAll('input[form=selection]').forEach(function (one) {
          one.checked = box.checked;
        });
      });
    },
    // Asks for leave to notify, has the browser subscribe, and sends its subscription with the form.
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
    },
    'submit-on-change': function (field) {
      field.addEventListener('change', function () {
        field.form.requestSubmit();
      });
    }
  };
  function run(root) {
    root.querySelectorAll('[data-script]').forEach(function (element) {
      var improve = scripts[element.dataset.script];
      if (improve) improve(element);
    });
  }
  run(document);
})();
`;

/** Below the path of the pages; the address changes with the script, so that browsers may keep it for good. */
export const PAGE_SCRIPT_PATH = `${createHash('sha256').update(PAGE_SCRIPT).digest('hex').slice(0, 16)}.js`;
