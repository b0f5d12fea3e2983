/**
 * What the page for a link does where script is allowed: it sends on what is behind the # of its address, which the browser
 * sends by itself to nobody, and takes it out of the address. In the syntax of browsers of 2015.
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
