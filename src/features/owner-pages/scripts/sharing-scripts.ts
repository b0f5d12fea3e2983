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
},
// Hands a file to another application; where only addresses can be shared, the address.
'share-file': function (button) {
  var file = null;
  function createFile(parts) {
    return new File(parts, button.dataset.name, { type: 'application/pdf' });
  }
  if (!navigator.share || !window.File) return;
  var sharesFiles = navigator.canShare && navigator.canShare({ files: [createFile([''])] });
  button.hidden = false;
  button.addEventListener('click', function () {
    if (!sharesFiles) return share({ url: button.dataset.url });
    if (file) return share({ files: [file] });
    button.disabled = true;
    fetch(button.dataset.file, { credentials: 'same-origin' })
      .then(function (response) {
        if (!response.ok || response.redirected) throw response;
        return response.blob();
      })
      .then(function (content) {
        file = createFile([content]);
        // After a long wait the browser wants another click, which finds the file.
        return share({ files: [file] });
      })
      .catch(function () {
        location.assign(button.dataset.file);
      })
      .then(function () {
        button.disabled = false;
        button.focus();
      });
  });
  function share(data) {
    return navigator.share(data).catch(function () {});
  }
}`;
