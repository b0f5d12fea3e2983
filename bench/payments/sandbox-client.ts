/** How a sandbox is asked: for what only a measurement may, and for what the adapter has no word for. */
export function createSandboxClient({ apiBase, secretKey }: { apiBase: string; secretKey: string }) {
  const headers = { authorization: `Bearer ${secretKey}` };
  const control = async (name: string, body: object = {}): Promise<void> => {
    const answer = await fetch(`${apiBase}/sandbox/${name}`, {
      ...{ method: 'POST', headers, body: JSON.stringify(body) },
    });
    await answer.arrayBuffer();
  };
  const ask = async (method: string, path: string, form: Record<string, string> = {}) => {
    const query = new URLSearchParams(form).toString();
    const url = `${apiBase}/v1/${path}`;
    const answer = await (method === 'GET'
      ? fetch(`${url}?${query}`, { headers })
      : fetch(url, {
          method,
          headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
          body: query,
        }));
    // biome-ignore lint/suspicious/noExplicitAny: whatever the sandbox sent
    return answer.json() as Promise<any>;
  };
  return { control, ask };
}

export type SandboxClient = ReturnType<typeof createSandboxClient>;
