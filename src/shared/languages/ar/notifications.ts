/** What people are told of: `title` in lists and pushes, `body` below it. */
export const notifications = {
  QR_CODE_SCANNED: { title: 'مسح ضوئي: «{code}»', body: 'مُسح رمزك «{code}» ضوئيًا.' },
  QR_CODE_SCANNED_NEAR: {
    title: 'مسح ضوئي: «{code}»',
    body: 'مُسح رمزك «{code}» ضوئيًا بالقرب من {place}.',
  },
  LOST_CODE_SCANNED: { title: 'مفقود: مسح ضوئي لرمز «{code}»', body: 'مُسح رمزك «{code}» ضوئيًا.' },
  LOST_CODE_SCANNED_NEAR: {
    title: 'مفقود: مسح ضوئي لرمز «{code}»',
    body: 'مُسح رمزك «{code}» ضوئيًا بالقرب من {place}.',
  },
  SCAN_LOCATED: {
    title: 'وصل موقع «{code}»',
    body: 'شخص مسح رمزك «{code}» ضوئيًا شارك مكانه معك.',
  },
  SCAN_LOCATED_NEAR: {
    title: 'وصل موقع «{code}»',
    body: 'شخص مسح رمزك «{code}» ضوئيًا شارك مكانه معك، بالقرب من {place}.',
  },
  MESSAGE_RECEIVED: {
    title: 'رسالة بخصوص «{code}»',
    body: 'كتب إليك شخص مسح رمزك «{code}» ضوئيًا.',
  },
  PIN_REJECTED: {
    title: 'رموز PIN خاطئة: «{code}»',
    body: 'أدخل شخص ما رموز PIN خاطئة لرمزك «{code}». لم يُعرض ما يحميه رمز PIN.',
  },
  CODE_EXPIRING: {
    title: 'تنتهي صلاحية «{code}» قريبًا',
    body: 'تنتهي صلاحية رمزك «{code}» في {date}. بعد ذلك لن يعرض شيئًا.',
  },
  CODE_EXPIRED: {
    title: 'انتهت صلاحية «{code}»',
    body: 'انتهت صلاحية رمزك «{code}»، ولم يعد يعرض شيئًا.',
  },
  SCANS_DIGEST: {
    title: {
      zero: 'لا عمليات مسح لرموزك',
      one: 'عملية مسح واحدة لرموزك',
      two: 'عمليتا مسح لرموزك',
      few: '{count} عمليات مسح لرموزك',
      many: '{count} عملية مسح لرموزك',
      other: '{count} عملية مسح لرموزك',
    },
    body: 'منذ {time}: {codes}.',
  },
  SCANS_DIGEST_NEAR: {
    title: {
      zero: 'لا عمليات مسح لرموزك',
      one: 'عملية مسح واحدة لرموزك',
      two: 'عمليتا مسح لرموزك',
      few: '{count} عمليات مسح لرموزك',
      many: '{count} عملية مسح لرموزك',
      other: '{count} عملية مسح لرموزك',
    },
    body: 'منذ {time}: {codes}. أحدث مكان: بالقرب من {place}.',
  },
  NEW_LOGIN: {
    title: 'تسجيل دخول جديد',
    body: 'سجّل شخص ما الدخول إلى حسابك. إن لم يكن ذلك منك، فيُرجى تغيير كلمة المرور وإنهاء الجلسة.',
  },
  PASSWORD_CHANGED: {
    title: 'تغيّرت كلمة مرورك',
    body: 'أُنهيت جميع الجلسات الأخرى. إن لم يكن ذلك منك، فيُرجى طلب كلمة مرور جديدة فورًا.',
  },
  SECOND_FACTOR_ON: {
    title: 'فُعّلت المصادقة الثنائية',
    body: 'أُنهيت جميع الجلسات الأخرى. إن لم يكن ذلك منك، فيُرجى تغيير كلمة المرور.',
  },
  SECOND_FACTOR_OFF: {
    title: 'أُوقفت المصادقة الثنائية',
    body: 'أُنهيت جميع الجلسات الأخرى. إن لم يكن ذلك منك، فيُرجى تغيير كلمة المرور.',
  },
  ROLE_CHANGED: {
    title: 'تغيّر دورك',
    body: 'غيّر أحد المسؤولين دورك. الدور الجديد: {role}.',
  },
  GLASS_BROKEN: {
    title: 'فتح أحد المسؤولين سجلًا يخصّك',
    body: 'يمكن قراءته لمدة ربع ساعة بسبب حالة طارئة مُعلنة. ويبيّن سجل التدقيق من قرأ وماذا قرأ.',
  },
};
