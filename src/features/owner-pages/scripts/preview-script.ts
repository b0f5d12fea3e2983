/** The finder's page beside a form. */
export const PREVIEW_SCRIPT = `// Replaces what the frame shows while somebody types: navigations of it would be steps of Back.
'preview': function (button) {
  var frame = document.querySelector('iframe[name=preview]');
  var asked = 0, timer;
  // What no frame shows opens in a tab.
  if (!frame) return;
  button.hidden = true;
  button.form.addEventListener('input', function () {
    clearTimeout(timer);
    timer = setTimeout(show, 500);
  });
  // What was refused is not saved, so the frame does not have it.
  if (document.querySelector('.note.wrong')) show();
  function show() {
    frame.loading = 'eager';
    var number = ++asked, body = new URLSearchParams(new FormData(button.form));
    fetch(button.formAction, { method: 'POST', body: body, credentials: 'same-origin' })
      .then(function (response) {
        if (!response.ok || response.redirected) throw response;
        return response.text();
      })
      .then(function (markup) {
        var shown = frame.contentDocument;
        if (number !== asked) return;
        var page = new DOMParser().parseFromString(markup, 'text/html');
        showCount(page.getElementById('visible'));
        // Its first page has not come yet, whose policy allows the style.
        if (shown.URL === 'about:blank') return frame.addEventListener('load', show, { once: true });
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
  function showCount(count) {
    var place = document.getElementById('visible');
    if (!count || !place) return;
    count.remove();
    if (place.textContent !== count.textContent) place.textContent = count.textContent;
  }
}`;
