import { runInNewContext } from 'node:vm';
import { COPY_SCRIPT } from '../../../src/features/finder/page-scripts.ts';
import { t } from '../../tap.ts';

interface Focusable {
  focus(): void;
}

/** Press the button of the script without a clipboard, and return what has the focus then. */
function copyWithFocusOn(activeName: 'page' | 'button' | 'field'): string {
  let focused = '';
  const createElement = (name: string) => ({
    setAttribute() {},
    select() {
      focused = name;
    },
    focus() {
      focused = name;
    },
  });
  const button: Focusable & { onclick?: () => void } = createElement('button');
  const elements = { page: createElement('page'), button, field: createElement('field') };
  const parentNode = { appendChild() {} };
  const part = { textContent: 'secret', getAttribute: (name: string) => name, parentNode };
  runInNewContext(COPY_SCRIPT, {
    document: {
      body: Object.assign(elements.page, { appendChild() {}, removeChild() {} }),
      activeElement: elements[activeName],
      querySelectorAll: () => [part],
      createElement: (name: string) => (name === 'button' ? button : createElement(name)),
      createTextNode: () => ({}),
      execCommand: () => true,
    },
    navigator: {},
  });
  button.onclick?.();
  return focused;
}

t.test('copying without a clipboard gives the focus back', async (t) => {
  t.equal(copyWithFocusOn('page'), 'button', 'browsers that focus no button');
  t.equal(copyWithFocusOn('button'), 'button');
  t.equal(copyWithFocusOn('field'), 'field', 'somebody types meanwhile');
});
