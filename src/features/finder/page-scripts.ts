import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';

/**
 * Offers to send the position of the device, alone or with a message, and says what it waits for or what failed. Clears
 * the position before other submissions: browsers restore it on back navigation. ES5 for old browsers.
 * The texts are here, since a page has no room for them.
 */
export function createGeolocationFormScript(locale: Locale): string {
  return GEOLOCATION_FORM_SCRIPT.replace('TEXTS', () =>
    JSON.stringify({
      searching: t(locale, 'finder.shareSearching'),
      denied: t(locale, 'finder.sharePositionDenied'),
      unavailable: t(locale, 'finder.sharePositionUnavailable'),
      timedOut: t(locale, 'finder.sharePositionTimedOut'),
    }),
  );
}

const GEOLOCATION_FORM_SCRIPT = `(function () {
  var texts = TEXTS;
  var form = document.getElementById('share');
  if (!form || !navigator.geolocation) return;
  addButton();
  var message = document.getElementById('write');
  if (message && message.getAttribute('data-share')) addChoice();

  function addButton() {
    var button = document.createElement('button');
    var state = createState();
    button.type = 'button';
    button.id = 'position';
    button.className = 'wide';
    button.textContent = form.getAttribute('data-button');
    button.onclick = function () {
      sendWithPosition(form, button, state);
    };
    form.addEventListener('submit', function () {
      setPosition(form, '', '', '');
    });
    resetOnReturn(button, state);
    form.querySelector('button').className = 'plain';
    var label = form.querySelector('label');
    form.insertBefore(button, label);
    form.insertBefore(state, label);
  }

  function addChoice() {
    var label = document.createElement('label');
    var box = document.createElement('input');
    var state = createState();
    var button = message.querySelector('button');
    var names = ['latitude', 'longitude', 'accuracy'];
    for (var index = 0; index < names.length; index += 1) {
      var field = document.createElement('input');
      field.type = 'hidden';
      field.name = names[index];
      message.appendChild(field);
    }
    box.type = 'checkbox';
    box.name = 'located';
    box.value = 'yes';
    box.checked = message.getAttribute('data-shares') !== null;
    label.className = 'choice';
    label.appendChild(box);
    label.appendChild(document.createTextNode(message.getAttribute('data-share')));
    message.addEventListener('submit', function (event) {
      setPosition(message, '', '', '');
      if (!box.checked) return;
      event.preventDefault();
      sendWithPosition(message, button, state, function () {
        box.checked = false;
      });
    });
    resetOnReturn(button, state);
    message.insertBefore(label, button);
    message.insertBefore(state, button);
  }

  function createState() {
    var state = document.createElement('p');
    state.setAttribute('role', 'status');
    return state;
  }

  // Browsers restore a page as it was left.
  function resetOnReturn(button, state) {
    window.addEventListener('pageshow', function () {
      button.disabled = false;
      state.textContent = '';
    });
  }

  // Some browsers call neither function while their question is open: an own timer ends the wait.
  function sendWithPosition(target, button, state, onFailure) {
    var isDone = false;
    var timer = setTimeout(fail, 25000);
    button.disabled = true;
    state.textContent = texts.searching;
    navigator.geolocation.getCurrentPosition(
      function (found) {
        if (!end()) return;
        setPosition(target, found.coords.latitude, found.coords.longitude, found.coords.accuracy);
        target.submit();
      },
      fail,
      { enableHighAccuracy: true, timeout: 20000 }
    );

    function fail(error) {
      if (!end()) return;
      var reason = error && error.code === 1 ? 'denied' : error && error.code === 2 ? 'unavailable' : 'timedOut';
      state.textContent = texts[reason];
      if (onFailure) onFailure();
      // A disabled button loses the focus; whoever types meanwhile keeps it.
      var active = document.activeElement;
      if (!active || active === document.body || active === button) button.focus();
    }

    function end() {
      if (isDone) return false;
      isDone = true;
      clearTimeout(timer);
      button.disabled = false;
      return true;
    }
  }

  function setPosition(target, latitude, longitude, accuracy) {
    target.elements.latitude.value = latitude;
    target.elements.longitude.value = longitude;
    target.elements.accuracy.value = accuracy;
  }
})();
`;

/** Moves the token from the URL fragment, which browsers never send, to the form. ES5 for old browsers. */
export const SHARE_LINK_TOKEN_SCRIPT = `(function () {
  var form = document.getElementById('paste');
  var token = location.hash.slice(1);
  if (!form || !/^[A-Za-z0-9_-]{43}$/.test(token)) return;
  history.replaceState(null, '', location.pathname + location.search);
  form.elements.link.value = token;
  form.submit();
})();
`;

/**
 * Adds a button to each element with `data-copy`: it copies the link, or the text. With `data-main` it is the filled
 * button of the page. ES5 for old browsers.
 */
export const COPY_SCRIPT = `(function () {
  var parts = document.querySelectorAll('[data-copy]');
  for (var index = 0; index < parts.length; index += 1) addButton(parts[index]);

  function addButton(part) {
    var button = document.createElement('button');
    var state = document.createElement('span');
    button.type = 'button';
    button.className = part.getAttribute('data-main') === null ? 'plain' : '';
    button.textContent = part.getAttribute('data-copy');
    state.setAttribute('role', 'status');
    button.onclick = function () {
      var text = part.href || part.textContent;
      state.textContent = '';
      function confirm() {
        state.textContent = part.getAttribute('data-copied');
      }
      function copyInOldBrowser() {
        var active = document.activeElement;
        if (copySelected(text)) confirm();
        // The selected text took the focus.
        (active && active !== document.body ? active : button).focus();
      }
      // Missing also where the connection is not secure.
      if (navigator.clipboard) navigator.clipboard.writeText(text).then(confirm, copyInOldBrowser);
      else copyInOldBrowser();
    };
    part.parentNode.appendChild(document.createTextNode(' '));
    part.parentNode.appendChild(button);
    part.parentNode.appendChild(document.createTextNode(' '));
    part.parentNode.appendChild(state);
  }

  function copySelected(text) {
    var field = document.createElement('textarea');
    field.value = text;
    field.className = 'visually-hidden';
    document.body.appendChild(field);
    field.select();
    var isCopied = document.execCommand('copy');
    document.body.removeChild(field);
    return isCopied;
  }
})();
`;

/**
 * Shows times in the reader's time zone and polls for changes: every 15 seconds, less often while nothing changes, not
 * while the page is hidden, and for eight hours at most. Shows that the other side is typing, and polls sooner then.
 * Leaves the forms as they are. ES5 for old browsers.
 */
export const CONVERSATION_SCRIPT = `(function () {
  var TYPING_DELAY = 5000, MIN_DELAY = 15000, MAX_DELAY = 120000, MAX_ERROR_DELAY = 600000;
  var list = document.querySelector('.messages');
  var tag = document.documentElement.lang;
  if (!list) return;
  showLocalTimes(list);
  var address = list.getAttribute('data-updates');
  var notice = document.getElementById('notice');
  var typing = document.getElementById('typing');
  if (!address || !notice || !window.fetch || !window.DOMParser) return;
  var state = list.getAttribute('data-state');
  var lastPollAt = Date.now(), stopsAt = lastPollAt + 8 * 3600000;
  var delay = MIN_DELAY, isPolling = false, timer;

  document.addEventListener('visibilitychange', function () {
    delay = MIN_DELAY;
    schedule(Math.max(0, lastPollAt + delay - Date.now()));
  });
  schedule(delay);

  function schedule(milliseconds) {
    clearTimeout(timer);
    if (address && !isPolling && !document.hidden && Date.now() < stopsAt) timer = setTimeout(poll, milliseconds);
  }

  function poll() {
    isPolling = true;
    lastPollAt = Date.now();
    load(address)
      .then(function (answer) {
        var parts = answer.split(' ');
        var isTyping = parts[1] === 'typing';
        var text = isTyping ? typing.getAttribute('data-text') : '';
        if (typing.textContent !== text) typing.textContent = text;
        if (parts[0] !== state) return load(location.pathname + '?lang=' + tag).then(update);
        delay = isTyping ? TYPING_DELAY : Math.min(Math.max(delay, MIN_DELAY) * 1.5, MAX_DELAY);
      })
      .catch(function () {
        delay = Math.min(delay * 2, MAX_ERROR_DELAY);
      })
      .then(function () {
        isPolling = false;
        schedule(delay);
      });
  }

  function load(url) {
    return fetch(url, { cache: 'no-cache', credentials: 'same-origin' }).then(function (response) {
      if (response.status === 404 || response.status === 410) address = null;
      if (!response.ok) throw response;
      return response.text();
    });
  }

  function update(markup) {
    var page = new DOMParser().parseFromString(markup, 'text/html');
    var next = page.querySelector('.messages');
    var items = next.children, text = '';
    showLocalTimes(next);
    while (items.length > 0) {
      var item = document.adoptNode(items[0]);
      var known = list.querySelector('[data-id="' + item.getAttribute('data-id') + '"]');
      if (known) {
        known.replaceChild(item.firstElementChild, known.firstElementChild);
      } else {
        item.removeAttribute('id');
        list.appendChild(item);
        if (item.className === 'other') text = notice.getAttribute('data-text');
      }
    }
    state = next.getAttribute('data-state');
    address = next.getAttribute('data-updates');
    delay = MIN_DELAY;
    if (address) {
      var tokens = document.getElementsByName('visit');
      for (var index = 0; index < tokens.length; index += 1)
        tokens[index].value = page.getElementsByName('visit')[0].value;
    } else {
      text = page.querySelector('.wrong').textContent;
      document.getElementById('message').form.querySelector('button').disabled = true;
    }
    // A text that is the same again would not be announced.
    notice.textContent = '';
    setTimeout(function () {
      notice.textContent = text;
    }, 100);
  }

  function showLocalTimes(root) {
    var times = root.querySelectorAll('time');
    var options = { year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' };
    for (var index = 0; index < times.length; index += 1)
      times[index].textContent = new Date(times[index].getAttribute('datetime')).toLocaleString(tag, options);
  }
})();
`;
