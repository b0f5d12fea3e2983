/**
 * Moves the token from the URL fragment, which browsers never send, to the form and submits it. ES5 for old browsers.
 */
export const SHARE_TOKEN_SCRIPT = `(function () {
  var form = document.getElementById('paste');
  var token = location.hash.slice(1);
  if (!form || !/^[A-Za-z0-9_-]{43}$/.test(token)) return;
  history.replaceState(null, '', location.pathname + location.search);
  form.elements.link.value = token;
  form.submit();
})();
`;
