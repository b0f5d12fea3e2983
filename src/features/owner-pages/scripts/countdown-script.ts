/** The time until access to a record ends. */
export const COUNTDOWN_SCRIPT = `// By the clock of the browser from the time on that the page was left with: the clocks may differ.
'countdown': function (part) {
  var texts = part.children, place = part.querySelector('[role=timer] .number');
  var endsAt = Date.now() + Number(part.dataset.left), timer = setInterval(show, 1000);
  var format = new Intl.NumberFormat(document.documentElement.lang, { minimumIntegerDigits: 2 });
  texts[0].hidden = true;
  texts[1].hidden = false;
  show();
  function show() {
    var seconds = Math.ceil((endsAt - Date.now()) / 1000);
    if (seconds > 0) {
      place.textContent = format.format(Math.floor(seconds / 60)) + ':' + format.format(seconds % 60);
      return;
    }
    clearInterval(timer);
    if (part.dataset.leavesTo) location.replace(part.dataset.leavesTo);
    part.textContent = part.dataset.ended;
  }
}`;
