/**
 * What a page does where script is allowed: a button that asks the phone for its position, and sends the form that is
 * there without script, too; a browser that goes back has filled in the last one, which an ordinary sending leaves out. In the syntax of browsers of 2015.
 */
export const POSITION_SCRIPT = `(function () {
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
