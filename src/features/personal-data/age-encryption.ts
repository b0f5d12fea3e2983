import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';

/** A key pair of age (age-encryption.org/v1). */
export interface AgeKeyPair {
  identity: string;
  recipient: string;
}

/** A new key pair: what is encrypted to its recipient only its identity opens. */
export async function generateAgeKeyPair(): Promise<AgeKeyPair> {
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/** Whether something can be encrypted to this public key. */
export async function isValidAgeRecipient(recipient: string): Promise<boolean> {
  try {
    await createEncrypter(recipient).encrypt('');
    return true;
  } catch {
    return false;
  }
}

/** The stream as an age file for a recipient, 64 KiB at a time; each piece is authenticated. */
export async function encryptToRecipient(recipient: string, plain: Readable): Promise<Readable> {
  return toNodeStream(await createEncrypter(recipient).encrypt(toWebStream(plain)));
}

/** What an age file holds; the stream breaks off before the first piece that was altered, and where the end is missing. */
export async function decryptWithIdentity(identity: string, file: Readable): Promise<Readable> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  return toNodeStream(await decrypter.decrypt(toWebStream(file)));
}

function createEncrypter(recipient: string): Encrypter {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return encrypter;
}

// Not Readable.toWeb: in Node 20 it reads on while nobody takes, up to 16,384 pieces. The class is the same at run
// time; Node and the standard library each have a type for it.
function toWebStream(stream: Readable): globalThis.ReadableStream<Uint8Array<ArrayBuffer>> {
  return ReadableStream.from(stream) as unknown as globalThis.ReadableStream<Uint8Array<ArrayBuffer>>;
}

function toNodeStream(stream: globalThis.ReadableStream<Uint8Array>): Readable {
  return Readable.fromWeb(stream as unknown as ReadableStream);
}
