/** Clears the position if there is none: browsers restore it on back navigation. ES5 for old browsers. */
export const GEOLOCATION_FORM_SCRIPT = `(function () {
  var form = document.getElementById('share');
  if (!form || !navigator.geolocation) return;
  var button = document.createElement('button');
  var state = document.createElement('p');
  button.type = 'button';
  button.id = 'position';
  button.textContent = form.getAttribute('data-button');
  state.setAttribute('role', 'status');
  button.onclick = function () {
    button.disabled = true;
    navigator.geolocation.getCurrentPosition(
      function (found) {
        form.elements.latitude.value = found.coords.latitude;
        form.elements.longitude.value = found.coords.longitude;
        form.elements.accuracy.value = found.coords.accuracy;
        form.submit();
      },
      function () {
        button.disabled = false;
        state.textContent = form.getAttribute('data-failed');
      },
      { enableHighAccuracy: true, timeout: 20000 }
    );
  };
  form.addEventListener('submit', function () {
    form.elements.latitude.value = form.elements.longitude.value = form.elements.accuracy.value = '';
  });
  form.appendChild(button);
  form.appendChild(state);
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
