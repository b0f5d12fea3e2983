import { createHash } from 'node:crypto';
import { CAMERA_SCRIPT } from './scripts/camera-script.ts';
import { COUNTDOWN_SCRIPT } from './scripts/countdown-script.ts';
import { FORM_SCRIPTS } from './scripts/form-scripts.ts';
import { LIVE_SCRIPT } from './scripts/live-script.ts';
import { PALETTE_SCRIPT } from './scripts/palette-script.ts';
import { PREVIEW_SCRIPT } from './scripts/preview-script.ts';
import { SHARING_SCRIPTS } from './scripts/sharing-scripts.ts';
import { TYPING_SCRIPT } from './scripts/typing-script.ts';
import { WEB_PUSH_SCRIPT } from './scripts/web-push-script.ts';

/** What pages for owners do better with a script; each works without it. */
export const PAGE_SCRIPT = `(function () {
  // Back after signing out shows a page that the browser kept in memory.
  addEventListener('pageshow', function (event) {
    if (event.persisted) location.reload();
  });

  // Send a form once: a second click would show the error of the repeated request.
  document.addEventListener('submit', function (event) {
    var form = event.target, button = event.submitter;
    if (form.method !== 'post' || (button && button.formTarget)) return;
    if (form.dataset.sending) return event.preventDefault();
    if (event.defaultPrevented) return;
    form.dataset.sending = 'yes';
    setTimeout(function () {
      delete form.dataset.sending;
    }, 5000);
  });

  var scripts = {
    ${FORM_SCRIPTS},
    ${SHARING_SCRIPTS},
    ${LIVE_SCRIPT},
    ${TYPING_SCRIPT},
    ${PREVIEW_SCRIPT},
    ${PALETTE_SCRIPT},
    ${CAMERA_SCRIPT},
    ${COUNTDOWN_SCRIPT},
    ${WEB_PUSH_SCRIPT}
  };
  function run(root) {
    root.querySelectorAll('[data-script]').forEach(function (element) {
      var improve = scripts[element.dataset.script];
      if (improve) improve(element);
    });
  }
  run(document);
})();
`;

/** Below the path of the pages; the address changes with the script, so that browsers may keep it for good. */
export const PAGE_SCRIPT_PATH = `${createHash('sha256').update(PAGE_SCRIPT).digest('hex').slice(0, 16)}.js`;
