declare module 'libheif-js/libheif-wasm/libheif-bundle.mjs' {
  /** A C++ object, or an error with a code. */
  type Handle = { code?: unknown };

  interface Libheif {
    heif_error_code: { heif_error_Ok: unknown };
    heif_colorspace: { heif_colorspace_RGB: unknown };
    heif_chroma: { heif_chroma_interleaved_RGB: unknown; heif_chroma_interleaved_RGBA: unknown };
    heif_context_alloc(): unknown;
    heif_context_read_from_memory(context: unknown, bytes: Uint8Array): { code: unknown };
    heif_js_context_get_primary_image_handle(context: unknown): Handle | null;
    heif_image_handle_has_alpha_channel(handle: Handle): number;
    heif_js_decode_image2(
      handle: Handle,
      colorspace: unknown,
      chroma: unknown,
    ): { channels?: { width: number; height: number; stride: number; data: Uint8Array }[] } | null;
  }

  export default function createLibheif(options: {
    print(): void;
    printErr(): void;
    instantiateWasm(
      this: { wasmBinary: Uint8Array },
      imports: object,
      receive: (instance: WebAssembly.Instance) => void,
    ): Record<string, unknown>;
  }): Libheif;
}

/** What the decoder uses; TypeScript declares the rest for browsers only. */
declare namespace WebAssembly {
  function instantiate(bytes: Uint8Array, imports?: object): Promise<unknown>;
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: object);
    readonly exports: Record<string, unknown>;
  }
  class Memory {
    private constructor();
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
}
