/** Who is typing in a conversation. */
export const TYPING_SCRIPT = `// Sent at most every three seconds; shown as often as the conversation asks for updates.
'typing': function (state) {
  var field = document.getElementById('message'), sentAt = 0;
  document.addEventListener('update', function (event) {
    var text = event.detail === 'typing' ? state.dataset.text : '';
    if (state.textContent !== text) state.textContent = text;
  });
  if (!field) return;
  field.addEventListener('input', function () {
    var body = new URLSearchParams({ token: field.form.elements.token.value });
    if (field.value === '' || Date.now() - sentAt < 3000) return;
    sentAt = Date.now();
    fetch(state.dataset.address, { method: 'POST', body: body, credentials: 'same-origin' }).catch(function () {});
  });
}`;
