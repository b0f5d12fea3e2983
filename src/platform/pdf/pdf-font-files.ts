export type PdfFontFamily = 'sans' | 'arabic' | 'hebrew' | 'japanese' | 'chinese' | 'hangul';

interface PdfFontFiles {
  /** The npm package. */
  package: string;
  regular: string;
  /** Without it, the regular outlines are drawn bolder. */
  bold?: string;
}

/** `sans` has Latin, Greek, Cyrillic and Devanagari. */
export const PDF_FONTS: Readonly<Record<PdfFontFamily, PdfFontFiles>> = {
  sans: {
    package: '@expo-google-fonts/noto-sans',
    regular: '400Regular/NotoSans_400Regular.ttf',
    bold: '700Bold/NotoSans_700Bold.ttf',
  },
  arabic: {
    package: '@expo-google-fonts/noto-sans-arabic',
    regular: '400Regular/NotoSansArabic_400Regular.ttf',
    bold: '700Bold/NotoSansArabic_700Bold.ttf',
  },
  hebrew: {
    package: '@expo-google-fonts/noto-sans-hebrew',
    regular: '400Regular/NotoSansHebrew_400Regular.ttf',
    bold: '700Bold/NotoSansHebrew_700Bold.ttf',
  },
  japanese: {
    package: '@expo-google-fonts/noto-sans-jp',
    regular: '400Regular/NotoSansJP_400Regular.ttf',
  },
  chinese: {
    package: '@expo-google-fonts/noto-sans-sc',
    regular: '400Regular/NotoSansSC_400Regular.ttf',
  },
  hangul: {
    package: '@expo-google-fonts/noto-sans-kr',
    regular: '400Regular/NotoSansKR_400Regular.ttf',
  },
};

/** The license of the fonts, in each package. */
export const PDF_FONT_LICENSE_FILE = 'LICENSE_FONT';
