/** Ways to pages and codes by a few letters. */
export const PALETTE_SCRIPT = `// A combobox with a list, in a dialog of the browser, which keeps the focus and closes by Escape.
'palette': function (button) {
  var isApple = /Mac|iPhone|iPad/.test(navigator.platform), texts = button.dataset;
  var dialog = document.createElement('dialog'), field = document.createElement('input');
  var list = document.createElement('ul'), state = document.createElement('p');
  var asked = 0, timer;
  if (!dialog.showModal) return;
  dialog.className = 'palette';
  dialog.setAttribute('aria-label', button.firstChild.textContent);
  setAttributes(field, {
    type: 'text', role: 'combobox', dir: 'auto', autocomplete: 'off', maxlength: '100', placeholder: texts.label,
    'aria-label': texts.label, 'aria-autocomplete': 'list', 'aria-controls': 'palette', 'aria-expanded': 'false'
  });
  setAttributes(list, { id: 'palette', role: 'listbox', 'aria-label': texts.label });
  list.hidden = true;
  state.setAttribute('role', 'status');
  dialog.append(field, list, state);
  button.querySelector('kbd').textContent = isApple ? '⌘K' : 'Ctrl K';
  button.parentNode.hidden = false;
  document.body.append(dialog);
  button.addEventListener('click', open);
  document.addEventListener('keydown', function (event) {
    if (event.key.toLowerCase() !== 'k' || !(isApple ? event.metaKey : event.ctrlKey) || event.shiftKey || event.altKey) return;
    event.preventDefault();
    open();
  });
  dialog.addEventListener('click', function (event) {
    var option = event.target.closest('[role=option]');
    if (event.target === dialog) dialog.close();
    if (option) location.assign(option.dataset.href);
  });
  field.addEventListener('input', function () {
    clearTimeout(timer);
    timer = setTimeout(find, 150);
  });
  field.addEventListener('keydown', function (event) {
    var options = list.children, step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    var current = Array.prototype.indexOf.call(options, list.querySelector('[aria-selected=true]'));
    if (event.isComposing || options.length === 0) return;
    if (step) choose((current + step + options.length) % options.length);
    else if (event.key === 'Enter') location.assign(options[current].dataset.href);
    else return;
    event.preventDefault();
  });
  function setAttributes(element, values) {
    for (var name in values) element.setAttribute(name, values[name]);
  }
  function open() {
    if (dialog.open || document.querySelector('dialog[open]')) return;
    dialog.showModal();
    field.select();
    find();
  }
  function find() {
    var number = ++asked;
    fetch(texts.address + '?search=' + encodeURIComponent(field.value), { credentials: 'same-origin' })
      .then(function (response) {
        if (!response.ok || response.redirected) throw response;
        return response.text();
      })
      .catch(function () {
        return null;
      })
      .then(function (markup) {
        if (number !== asked) return;
        list.innerHTML = markup || '';
        list.hidden = list.children.length === 0;
        field.setAttribute('aria-expanded', String(!list.hidden));
        state.textContent = markup === null ? texts.failed : list.hidden ? texts.none : '';
        if (list.hidden) field.removeAttribute('aria-activedescendant');
        else choose(0);
      });
  }
  function choose(index) {
    Array.prototype.forEach.call(list.children, function (option, at) {
      option.setAttribute('aria-selected', String(at === index));
    });
    field.setAttribute('aria-activedescendant', list.children[index].id);
    list.children[index].scrollIntoView({ block: 'nearest' });
  }
}`;
