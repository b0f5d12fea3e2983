import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';

/** A key pair of age (age-encryption.org/v1). */
export interface AgeKeys {
  identity: string;
  recipient: string;
}

/** A new key pair: what is encrypted to its recipient only its identity opens. */
export async function newAgeKeys(): Promise<AgeKeys> {
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/** Whether something can be encrypted to this public key. */
export async function isRecipient(recipient: string): Promise<boolean> {
  try {
    await encrypterTo(recipient).encrypt('');
    return true;
  } catch {
    return false;
  }
}

/** The stream as an age file for a recipient, 64 KiB at a time; each piece is authenticated. */
export async function encryptTo(recipient: string, plain: Readable): Promise<Readable> {
  return asNode(await encrypterTo(recipient).encrypt(asWeb(plain)));
}

/** What an age file holds; the stream breaks off before the first piece that was altered, and where the end is missing. */
export async function decryptWith(identity: string, file: Readable): Promise<Readable> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  return asNode(await decrypter.decrypt(asWeb(file)));
}

function encrypterTo(recipient: string): Encrypter {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return encrypter;
}

// Not Readable.toWeb: in Node 20 it reads on while nobody takes, up to 16,384 pieces. The class is the same at run
// time; Node and the standard library each have a type for it.
function asWeb(stream: Readable): globalThis.ReadableStream<Uint8Array<ArrayBuffer>> {
  return ReadableStream.from(stream) as unknown as globalThis.ReadableStream<Uint8Array<ArrayBuffer>>;
}

function asNode(stream: globalThis.ReadableStream<Uint8Array>): Readable {
  return Readable.fromWeb(stream as unknown as ReadableStream);
}
