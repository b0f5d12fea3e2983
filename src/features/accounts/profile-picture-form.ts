/** The form that registration and profile take besides JSON: one picture of at most 10 MB. */
export const PICTURE_FORM = { files: { profilePicture: { maxBytes: 10_000_000 } } };
