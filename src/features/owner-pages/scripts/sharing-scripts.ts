/** Buttons that hand something to another application, the clipboard or a printer. */
export const SHARING_SCRIPTS = `// Without the script, people select the text.
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
'print': function (button) {
  button.hidden = false;
  button.addEventListener('click', function () {
    print();
  });
}`;
