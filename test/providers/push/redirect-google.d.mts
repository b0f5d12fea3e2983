export function redirectGoogle(port: number, certificate: string): () => void;
