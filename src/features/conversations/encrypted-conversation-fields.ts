import { defineColumnCipher } from '../../platform/column-cipher.ts';
import { conversationsCatalogue } from './catalogue.ts';
import type { MessagePreset } from './presets.rules.ts';

export interface MessageContent {
  preset: MessagePreset | null;
  text: string;
}

export const MESSAGE_CONTENT = defineColumnCipher(
  conversationsCatalogue,
  'conversation_messages.content',
).of<MessageContent>();

export const NOTE_CONTENT = defineColumnCipher(
  conversationsCatalogue,
  'conversation_notes.content',
).of<string>();

export const FINDER_NAME = defineColumnCipher(
  conversationsCatalogue,
  'conversations.finder_name',
).of<string>();

export const FINDER_EMAIL = defineColumnCipher(
  conversationsCatalogue,
  'conversations.finder_email',
).of<string>();

export const REPORT_NOTE = defineColumnCipher(
  conversationsCatalogue,
  'conversation_reports.note',
).of<string>();

export const REPORT_DECISION_NOTE = defineColumnCipher(
  conversationsCatalogue,
  'conversation_reports.decision_note',
).of<string>();
