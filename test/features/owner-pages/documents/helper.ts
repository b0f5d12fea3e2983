import type { TestResponse } from '../../../helper.ts';
import { encodeMultipartForm } from '../../documents/upload.ts';
import type { TestBrowser } from '../browser.ts';

/** Choose a file in the form that is shown, and send it. */
export async function sendFile(
  browser: TestBrowser,
  action: string,
  content: Buffer,
  changes: Record<string, string> = {},
  fileName = 'paper.pdf',
): Promise<TestResponse> {
  const form = browser.readForm(action);
  const fields = Object.entries({ ...form.fields, ...changes }).map(([name, value]) => ({ name, value }));
  // The form has the file first.
  const body = encodeMultipartForm([{ name: 'file', value: content, fileName }, ...fields]);
  return browser.open(form.action, { method: 'POST', body, type: 'multipart/form-data; boundary=XX' });
}
