/** Fields that fill in or send themselves. */
export const FORM_SCRIPTS = `// Sent at the sixth digit, which a phone fills in or somebody pastes.
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
'select-all': function (label) {
  var box = label.querySelector('input');
  label.hidden = false;
  box.addEventListener('change', function () {
    document.querySelectorAll('input[form=selection]').forEach(function (one) {
      one.checked = box.checked;
    });
  });
},
'submit-on-change': function (field) {
  field.addEventListener('change', function () {
    field.form.requestSubmit();
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
}`;
