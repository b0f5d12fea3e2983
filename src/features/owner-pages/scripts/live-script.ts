/** A part of a page that updates itself. */
export const LIVE_SCRIPT = `// Asks every 15 seconds, or as often as the part says, while the page is visible and for eight hours at most. Forms beside the part stay as they are.
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
      .then(function (answer) {
        var current = answer.split(' ', 1)[0];
        part.dispatchEvent(new CustomEvent('update', { bubbles: true, detail: answer.slice(current.length + 1) }));
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
}`;
