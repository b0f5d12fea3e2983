import type { Static } from 'typebox';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t, translateHtml } from '../../../shared/i18n/translate.ts';
import { isId } from '../../../shared/ids.ts';
import type { FolderSchema } from '../../codes/index.ts';
import { type MemberRow, managesMembers } from '../../identity/index.ts';
import { renderChoices, renderForm } from '../components.ts';

interface MemberFoldersForm {
  action: string;
  /** Of a form. */
  token: string;
  member: MemberRow;
  /** As pages show it. */
  name: string;
  /** Of the organization. */
  folders: readonly Static<typeof FolderSchema>[];
  locale: Locale;
}

/** Render the form that limits a member to folders; null for owners and managers, and where there is no folder. */
export function renderMemberFolders(form: MemberFoldersForm): Html | null {
  const { action, token, member, name, folders, locale } = form;
  if (managesMembers(member.role) || (folders.length === 0 && member.folderIds === null)) return null;
  const limit = {
    name: 'limit',
    legend: t(locale, 'app.folders.title'),
    value: member.folderIds === null ? 'none' : 'folders',
    options: [
      { value: 'none', label: t(locale, 'app.codes.all') },
      { value: 'folders', label: t(locale, 'app.members.onlyFolders') },
    ],
  };
  const boxes = folders.map(
    (folder) =>
      html`<label class="choice"><input type="checkbox" name="folder-${folder.id}" value="yes"${member.folderIds?.includes(folder.id) && html` checked`}><bdi>${folder.name}</bdi></label>`,
  );
  return html`<section><h2>${t(locale, 'app.folders.title')}</h2><p>${translateHtml(locale, 'app.members.foldersText', { member: html`<bdi>${name}</bdi>` })}</p>${renderForm(
    {
      action: `${action}/folders`,
      token,
      hidden: { version: String(member.version) },
      fields: html`${renderChoices(limit, [], locale)}<fieldset><legend>${t(locale, 'app.members.onlyFolders')}</legend>${boxes}</fieldset>`,
      submit: t(locale, 'app.organizations.save'),
    },
  )}</section>`;
}

/** The folders that the form chooses; null for no limit. Whatever it does not say is a limit. */
export function parseMemberFolders(fields: Readonly<Record<string, string>>): string[] | null {
  if (fields.limit === 'none') return null;
  return Object.keys(fields).flatMap((name) => {
    const id = /^folder-(.*)$/.exec(name)?.[1];
    return isId(id) ? id : [];
  });
}
