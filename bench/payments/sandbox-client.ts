export function createSandboxClient({ apiBase, secretKey }: { apiBase: string; secretKey: string }) {
  const headers = { authorization: `Bearer ${secretKey}` };
  const control = async (name: string, body: object = {}): Promise<void> => {
    const response = await fetch(`${apiBase}/sandbox/${name}`, {
      ...{ method: 'POST', headers, body: JSON.stringify(body) },
    });
    await response.arrayBuffer();
  };
  const ask = async (method: string, path: string, form: Record<string, string> = {}) => {
    const query = new URLSearchParams(form).toString();
    const url = `${apiBase}/v1/${path}`;
    const response = await (method === 'GET'
      ? fetch(`${url}?${query}`, { headers })
      : fetch(url, {
          method,
          headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
          body: query,
        }));
    // biome-ignore lint/suspicious/noExplicitAny: response of the sandbox
    return response.json() as Promise<any>;
  };
  return { control, ask };
}

export type SandboxClient = ReturnType<typeof createSandboxClient>;
