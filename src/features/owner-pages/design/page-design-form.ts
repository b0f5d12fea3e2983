import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import { generateId } from '../../../shared/ids.ts';
import type { PageDesign, PageSection } from '../../codes/index.ts';
import type { PictureRow } from '../../files/index.ts';
import { listPageSections } from '../../finder/index.ts';
import { type FormErrors, renderField, renderForm, renderSelect } from '../components.ts';
import { MAX_QR_CODE_PICTURES } from '../content/pictures-section.ts';
import { renderPreviewButton } from '../content/preview.ts';
import type { FormToken } from '../form-token.ts';

export interface DesignForm {
  /** Of the code. */
  path: string;
  token: FormToken;
  kind: string;
  version: number;
  design: PageDesign;
  brandColor: string;
  /** Null for a kind that has none of its own. */
  pictures: readonly PictureRow[] | null;
  /** Whether there is a frame with the page. */
  hasPreview: boolean;
  errors: FormErrors;
}

const SECTION_LABELS = {
  URGENT: 'app.page.sections.urgent',
  CONTACTS: 'app.content.group.contact',
  ACTIONS: 'app.page.sections.actions',
  NETWORK: 'kinds.WIFI',
  TEXT: 'kinds.TEXT',
  DETAILS: 'finder.detailsTitle',
  PIN: 'app.history.field.pin',
  DOCUMENTS: 'app.documents.title',
  MEMORIAL: 'fields.epitaph',
  PICTURES: 'app.content.pictures',
  STORY: 'memorial.storyTitle',
  PLACES: 'memorial.placesTitle',
  GUEST_BOOK: 'memorial.guestBookTitle',
} as const satisfies Record<PageSection, MessageKey>;

/** Render the forms for the look of a page. Each button of the order saves, too: without a script there is no other way to see it. */
export function renderDesignForms(form: DesignForm, locale: Locale): Html {
  const { path, token, kind, version, design, pictures, errors } = form;
  const sections = listPageSections(kind, design.sectionOrder);
  const address = `${path}/page`;
  const color = renderField(
    {
      name: 'accentColor',
      label: t(locale, 'app.page.color'),
      type: 'color',
      value: design.accentColor ?? form.brandColor,
      hint: t(locale, 'app.page.colorHint'),
    },
    errors,
    locale,
  );
  const choices =
    pictures && pictures.length > 0
      ? html`${kind !== 'MEDICAL' && renderPictureChoice('coverPictureId', t(locale, 'app.page.cover'))}${renderPictureChoice('logoPictureId', t(locale, 'app.page.logo'))}`
      : null;
  return html`${renderForm({
    action: address,
    token,
    submit: t(locale, 'app.content.save'),
    hidden: { version: String(version), sectionOrder: sections.map(({ section }) => section).join(',') },
    fields: html`${color}${choices}`,
    others: html`${form.hasPreview && renderPreviewButton(locale, `${address}/preview`)}${sections.length > 1 && renderOrder()}`,
  })}${pictures && pictures.length < MAX_QR_CODE_PICTURES && renderUpload()}${
    Object.keys(design).length > 0 &&
    renderForm({
      action: address,
      token,
      kind: 'plain',
      submit: t(locale, 'app.page.reset'),
      hidden: { version: String(version), reset: '1' },
    })
  }`;

  function renderPictureChoice(name: 'coverPictureId' | 'logoPictureId', legend: string): Html {
    const chosen = pictures?.find(({ id }) => id === design[name])?.id ?? '';
    const option = (value: string, content: string | Html) =>
      html`<label><input type="radio" name="${name}" value="${value}"${value === chosen && html` checked`}>${content}</label>`;
    return html`<fieldset id="${name}" class="photos"><legend>${legend}</legend>${option('', t(locale, 'app.page.noPhoto'))}${pictures?.map(
      ({ id, caption, position }) =>
        option(
          id,
          html`<img src="${path}/pictures/${id}?w=320" width="96" alt="${caption ?? t(locale, 'finder.galleryPicture', { number: position })}" loading="lazy">`,
        ),
    )}</fieldset>
`;
  }

  function renderOrder(): Html {
    const items = sections.map(({ section, isFixed }, index) => {
      const label = t(locale, SECTION_LABELS[section]);
      const canMoveUp = index > 0 && !sections[index - 1]?.isFixed;
      const up =
        canMoveUp && renderMove(`${section}:up`, '↑', t(locale, 'app.page.moveUp', { section: label }));
      const down =
        index < sections.length - 1 &&
        renderMove(`${section}:down`, '↓', t(locale, 'app.page.moveDown', { section: label }));
      return html`<li><div>${label}</div>${isFixed ? html`<span class="small">${t(locale, 'app.page.fixed')}</span>` : html`${up}${down}`}</li>
`;
    });
    return html`<h2 id="order">${t(locale, 'app.page.order')}</h2><p>${t(locale, 'app.page.orderHint')}</p><ol class="cards rows order">${items}</ol>`;
  }

  function renderMove(value: string, arrow: string, label: string): Html {
    return html`<button class="plain" name="move" value="${value}" aria-label="${label}">${arrow}</button>`;
  }

  function renderUpload(): Html {
    const file = {
      name: 'picture',
      label: t(locale, 'app.page.upload'),
      type: 'file',
      accept: 'image/*',
      hint: t(locale, 'app.content.pictureHint'),
      isRequired: true,
    } as const;
    const options = [
      ...(kind === 'MEDICAL' ? [] : [{ value: 'coverPictureId', label: t(locale, 'app.page.cover') }]),
      { value: 'logoPictureId', label: t(locale, 'app.page.logo') },
    ];
    const use = { name: 'use', label: t(locale, 'app.page.use'), value: undefined, options };
    return renderForm({
      action: `${address}/pictures`,
      token,
      isMultipart: true,
      hidden: { key: generateId() },
      fields: [renderField(file, errors, locale), renderSelect(use)],
      submit: t(locale, 'app.content.pictureAdd'),
      kind: 'plain',
    });
  }
}
