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
  GUEST_BOOK_SIGNED: {
    title: 'كلمة في دفتر زوار «{remembered}»',
    body: 'كتب أحد الزوار في دفتر زوار «{remembered}». تظهر الكلمة هناك بعد موافقتك عليها.',
  },
  CARETAKER_NAMED: {
    title: 'يمكنك المساعدة في لوحة ذكرى',
    body: 'أتاح لك شخص ما المساعدة في لوحة ذكرى: في نصوصها وصورها ودفتر زوارها. تجدها في قائمة لوحات الآخرين لديك.',
  },
  BIRTH_ANNIVERSARY: {
    title: '{remembered}: ذكرى الميلاد',
    body: 'تاريخ ميلاد {remembered}: {date}.',
  },
  DEATH_ANNIVERSARY: {
    title: '{remembered}: ذكرى الوفاة',
    body: 'تاريخ وفاة {remembered}: {date}.',
  },
  CODE_EXPIRING: {
    title: 'تنتهي صلاحية «{code}» قريبًا',
    body: 'تنتهي صلاحية رمزك «{code}» في {date}. بعد ذلك لن يعرض شيئًا.',
  },
  CODE_EXPIRED: {
    title: 'انتهت صلاحية «{code}»',
    body: 'انتهت صلاحية رمزك «{code}»، ولم يعد يعرض شيئًا.',
  },
  DOCUMENT_INFECTED: {
    title: 'أُزيل ملف من «{document}»',
    body: 'عُثر على برنامج ضار في ملف من مستندك «{document}»، فأُزيل الملف. يُرجى فحص الجهاز الذي جاء منه.',
  },
  DOCUMENT_EXPIRING: {
    title: 'تنتهي صلاحية «{document}» قريبًا',
    body: 'مستندك «{document}» صالح حتى {date}.',
  },
  DOCUMENT_EXPIRED: {
    title: 'تنتهي صلاحية «{document}» في {date}',
    body: 'مستندك «{document}» صالح حتى {date}.',
  },
  DOCUMENT_OPENED: {
    title: 'فُتحت الوثيقة «{document}»',
    body: 'فتح شخص ما وثيقتك «{document}». تبيّن قائمة قراءات الوثيقة كيف حدث ذلك.',
  },
  DOCUMENT_GIVEN: {
    title: 'وصلتك وثيقة لقراءتها',
    body: 'أعطاك شخص ما وثيقة لقراءتها. تجدها في قائمة وثائق الآخرين لديك.',
  },
  PASSCODE_REJECTED: {
    title: 'رموز دخول خاطئة: «{document}»',
    body: 'أدخل شخص ما رموز دخول خاطئة لرابط وثيقتك «{document}». لم تُفتح الوثيقة.',
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
  SUBSCRIPTION_STARTED: {
    title: 'بدأ اشتراكك',
    body: 'باقتك الآن هي «{package}». شكرًا لك.',
  },
  SUBSCRIPTION_CHANGED: {
    title: 'تغيّر اشتراكك',
    body: 'باقتك الآن هي «{package}».',
  },
  SUBSCRIPTION_ENDING: {
    title: 'ينتهي اشتراكك في {date}',
    body: 'تنتهي باقة «{package}» بانتهاء المدة المدفوعة، ويمكنك الاحتفاظ بها حتى ذلك الحين. وتبقى رموزك تعمل في كل الأحوال.',
  },
  SUBSCRIPTION_ENDED: {
    title: 'انتهى اشتراكك',
    body: 'انتهت باقة «{package}». تبقى الرموز المطبوعة تعمل، أما ما يتجاوز الباقة المجانية فأصبح للقراءة فقط.',
  },
  SUBSCRIPTION_PAUSED: {
    title: 'اشتراكك متوقف مؤقتًا',
    body: 'باقة «{package}» متوقفة مؤقتًا. وتبقى الرموز المطبوعة تعمل.',
  },
  SUBSCRIPTION_RESUMED: {
    title: 'اشتراكك مستمر من جديد',
    body: 'عادت إليك باقة «{package}».',
  },
  TRIAL_ENDING: {
    title: 'تنتهي الفترة التجريبية في {date}',
    body: 'بعد ذلك تصبح باقة «{package}» مدفوعة، ما لم تُلغَ قبلها.',
  },
  PAYMENT_RECEIVED: {
    title: 'وصلتنا دفعتك بمبلغ {amount}',
    body: 'شكرًا لك. دُفع {amount} مقابل «{package}»، {period}. جميع الفواتير موجودة في حسابك ضمن «الاشتراك».',
  },
  PAYMENT_FAILED: {
    title: 'تعذّر إتمام دفعتك بمبلغ {amount}',
    body: 'تعذّر تحصيل {amount} مقابل «{package}». يُرجى التحقق من وسيلة الدفع في حسابك ضمن «الاشتراك». وتبقى الرموز المطبوعة تعمل.',
  },
  PAYMENT_ACTION_NEEDED: {
    title: 'يُرجى تأكيد دفعة بمبلغ {amount}',
    body: 'يطلب مصرفك تأكيد دفع {amount} مقابل «{package}». يُرجى فتح الفاتورة في حسابك ضمن «الاشتراك».',
  },
  PAYMENT_REFUNDED: {
    title: 'استرداد مبلغ {amount}',
    body: 'أعدنا إليك {amount} مقابل «{package}». قد يستغرق ظهور المبلغ في حسابك المصرفي بضعة أيام.',
  },
  PAYMENT_DISPUTED: {
    title: 'اعتراض على دفعة بمبلغ {amount}',
    body: 'يطالب مصرفك باسترداد {amount} مقابل «{package}». إن كان ذلك خطأً، فيُرجى إبلاغ مصرفك.',
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
