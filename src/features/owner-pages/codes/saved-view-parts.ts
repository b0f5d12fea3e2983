import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import { isId } from '../../../shared/ids.ts';
import { isKeyOf } from '../../../shared/is-key-of.ts';
import { MAX_SAVED_VIEW_NAME_CHARACTERS } from '../../codes/index.ts';
import {
  type FormErrors,
  renderField,
  renderForm,
  renderNote,
  renderTabs,
  renderUndoBar,
} from '../components.ts';
import type { FormToken } from '../form-token.ts';
import { type CodeListFilters, isDefaultList, toFilterParams } from './code-list-filters.ts';
import type { SavedView } from './saved-views.ts';

const DONE_MESSAGES = {
  'view-saved': 'app.views.saved',
  'view-changed': 'app.views.changed',
  'view-deleted': 'app.views.deleted',
  'view-restored': 'app.views.restored',
} as const satisfies Record<string, MessageKey>;

export type SavedViewDone = keyof typeof DONE_MESSAGES;

/** Render what was done to a view, with the button that brings a deleted one back. */
export function renderSavedViewDone(
  path: string,
  { done, id }: { done?: string | undefined; id?: string | undefined },
  token: FormToken,
  locale: Locale,
): Html | null {
  if (!isKeyOf(DONE_MESSAGES, done)) return null;
  const text = t(locale, DONE_MESSAGES[done]);
  if (done !== 'view-deleted' || !isId(id)) return renderNote(text);
  return renderUndoBar(text, {
    action: `${path}/views/${id}/restore`,
    token,
    submit: t(locale, 'app.code.undo'),
  });
}

/** Render the ways to all codes and to each saved view; null without one. */
export function renderSavedViewTabs(
  path: string,
  views: readonly SavedView[],
  { current, isAll }: { current: string | undefined; isAll: boolean },
  locale: Locale,
): Html | null {
  if (views.length === 0) return null;
  const all = { href: path, label: t(locale, 'app.codes.all'), isCurrent: isAll };
  const tabs = views.map(({ id, name }) => ({
    href: `${path}?view=${id}`,
    label: html`<bdi>${name}</bdi>`,
    isCurrent: id === current,
  }));
  return renderTabs([all, ...tabs], t(locale, 'app.views.title'));
}

export interface SavedViewForms {
  path: string;
  filters: CodeListFilters;
  /** The view whose filters these are. */
  view: SavedView | undefined;
  /** The view that these filters may change. */
  base: SavedView | undefined;
  /** Of a refused form, to correct it. */
  name?: string | undefined;
  errors: FormErrors;
  token: FormToken;
  /** Whether other views are before and behind the one that is open. */
  canMove: { up: boolean; down: boolean };
}

/** Render the forms that save the filters as a view, or rename, change and delete the one that is open. */
export function renderSavedViewForms(forms: SavedViewForms, locale: Locale): Html | null {
  const { path, filters, view, base, name, errors, token, canMove } = forms;
  if (token === null) return null;
  const field = (value: string | undefined) =>
    renderField(
      {
        name: 'name',
        label: t(locale, 'app.views.name'),
        value: name ?? value,
        isRequired: true,
        maxLength: MAX_SAVED_VIEW_NAME_CHARACTERS,
      },
      errors,
      locale,
    );
  const unfold = (title: string, content: Html) =>
    html`<details class="view"${errors.length > 0 && html` open`}><summary>${title}</summary><div class="narrow">${content}</div></details>\n`;
  const move = (id: string, direction: 'up' | 'down', submit: string) =>
    renderForm({ action: `${path}/views/${id}/move`, token, hidden: { direction }, submit, kind: 'plain' });
  if (view)
    return unfold(
      t(locale, 'app.views.change'),
      html`${renderForm({
        action: `${path}/views/${view.id}/rename`,
        token,
        fields: field(view.name),
        submit: t(locale, 'app.views.rename'),
      })}<div class="actions">${canMove.up && move(view.id, 'up', t(locale, 'app.memorials.placeUp'))}${canMove.down && move(view.id, 'down', t(locale, 'app.views.moveDown'))}</div>${renderForm(
        {
          action: `${path}/views/${view.id}/delete`,
          token,
          submit: t(locale, 'app.views.delete'),
          kind: 'danger',
        },
      )}`,
    );
  if (isDefaultList(filters) && !base) return null;
  const hidden = toFilterParams(filters);
  return html`${
    base &&
    html`<div class="actions">${renderForm({
      action: `${path}/views/${base.id}/filters`,
      token,
      hidden,
      submit: t(locale, 'app.views.update', { name: base.name }),
      kind: 'plain',
    })}</div>`
  }${
    !isDefaultList(filters) &&
    unfold(
      t(locale, 'app.views.save'),
      renderForm({
        action: `${path}/views`,
        token,
        hidden: { ...hidden, base: base?.id },
        fields: field(undefined),
        submit: t(locale, 'app.views.saveButton'),
      }),
    )
  }`;
}
