export const pushes = {
  QR_CODE_SCANNED: 'مُسح أحد رموزك ضوئيًا',
  LOST_CODE_SCANNED: 'مفقود: مُسح أحد رموزك ضوئيًا',
  SCAN_LOCATED: 'شخص مسح أحد رموزك ضوئيًا شارك مكانه معك',
  MESSAGE_RECEIVED: 'كتب إليك شخص مسح أحد رموزك ضوئيًا',
  PIN_REJECTED: 'رموز PIN خاطئة لأحد رموزك',
  CODE_EXPIRING: 'تنتهي صلاحية أحد رموزك قريبًا',
  CODE_EXPIRED: 'انتهت صلاحية أحد رموزك',
  DOCUMENT_OPENED: 'فُتحت إحدى وثائقك',
  PASSCODE_REJECTED: 'رموز دخول خاطئة لإحدى وثائقك',
  ABOUT_A_CODE: 'جديد بخصوص أحد رموزك',
  ABOUT_SUBSCRIPTION: 'جديد بخصوص اشتراكك',
  SUBSCRIPTION_NEEDS_YOU: 'اشتراكك يحتاج إلى انتباهك',
};
