import { createHash } from 'node:crypto';
import { Agent } from 'node:http';
import { createFileContent, downloadFile, uploadFile } from '../stream-upload.ts';

export interface ExpectedDocument {
  id: string;
  content: DocumentContent | null;
  /** Request that was pending at a kill, which may have been applied or not. */
  pendingContent: { replacement: DocumentContent } | 'deletion' | null;
}

export interface DocumentContent {
  prefix: string;
  bytes: number;
}

/** Maximum size of a document: small ones fit into one chunk, large ones need many. */
const MAX_DOCUMENT_BYTES = 3_000_000;

/** Create clients that upload, replace and delete documents at random, and know what was acknowledged. */
export function createDocumentClients(base: string, token: string) {
  const documents: ExpectedDocument[] = [];
  let number = 0;
  const url = `${base}/api/documents`;

  async function once(agent: Agent): Promise<void> {
    const choice = Math.random();
    const known = documents.filter(
      ({ content, pendingContent }) => content !== null && pendingContent === null,
    );
    const document = known[Math.floor(Math.random() * known.length)];
    if (choice < 0.5 || !document) return create(agent);
    return choice < 0.8 ? replace(agent, document) : remove(document);
  }

  function newContent(): DocumentContent {
    number += 1;
    return { prefix: `document ${number}`, bytes: 100 + Math.floor(Math.random() ** 3 * MAX_DOCUMENT_BYTES) };
  }

  async function create(agent: Agent): Promise<void> {
    const content = newContent();
    const { status, body } = await uploadFile(url, token, content, { agent });
    if (status !== 201) throw new Error(`An upload was answered ${status}: ${JSON.stringify(body)}`);
    documents.push({ id: String(body.id), content, pendingContent: null });
  }

  async function replace(agent: Agent, document: ExpectedDocument): Promise<void> {
    const content = newContent();
    document.pendingContent = { replacement: content };
    const { status, body } = await uploadFile(`${url}/${document.id}/versions`, token, content, { agent });
    if (status !== 201) throw new Error(`A replacement was answered ${status}: ${JSON.stringify(body)}`);
    document.content = content;
    document.pendingContent = null;
  }

  async function remove(document: ExpectedDocument): Promise<void> {
    document.pendingContent = 'deletion';
    const headers = { Authorization: `Bearer ${token}` };
    const response = await fetch(`${url}/${document.id}`, { method: 'DELETE', headers });
    if (response.status !== 200) throw new Error(`A deletion was answered ${response.status}.`);
    document.content = null;
    document.pendingContent = null;
  }

  return {
    documents,
    /** Ignore a connection broken by a kill; an unexpected response is an error. */
    async work(clients: number, isStopped: () => boolean): Promise<void> {
      await Promise.all(
        Array.from({ length: clients }, async () => {
          const agent = new Agent({ keepAlive: false });
          while (!isStopped()) {
            try {
              await once(agent);
            } catch (error) {
              if (error instanceof Error && /was answered/.test(error.message) && !isStopped()) throw error;
              return;
            }
          }
        }),
      );
    },
    async compare(): Promise<string[]> {
      const differences: string[] = [];
      for (const document of documents) {
        const digest = await digestOf(`${url}/${document.id}/content`);
        const possible = [document.content];
        if (document.pendingContent === 'deletion') possible.push(null);
        else if (document.pendingContent) possible.push(document.pendingContent.replacement);
        if (!possible.some((content) => hashContent(content) === digest))
          differences.push(`${document.id} holds ${digest ?? 'nothing'}, and none of what it may hold`);
      }
      return differences;
    },
  };

  async function digestOf(address: string): Promise<string | null> {
    const hash = createHash('sha256');
    const { status } = await downloadFile(address, token, (chunk) => hash.update(chunk));
    if (status === 404) return null;
    return status === 200 ? hash.digest('hex') : `an answer of ${status}`;
  }
}

function hashContent(content: DocumentContent | null): string | null {
  if (content === null) return null;
  const hash = createHash('sha256');
  for (const chunk of createFileContent(content.bytes, content.prefix)) hash.update(chunk);
  return hash.digest('hex');
}
