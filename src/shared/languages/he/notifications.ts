/** What people are told of: `title` in lists and pushes, `body` below it. */
export const notifications = {
  QR_CODE_SCANNED: { title: 'נסרק הקוד "{code}"', body: 'הקוד שלכם "{code}" נסרק.' },
  QR_CODE_SCANNED_NEAR: {
    title: 'נסרק הקוד "{code}"',
    body: 'הקוד שלכם "{code}" נסרק ליד {place}.',
  },
  LOST_CODE_SCANNED: { title: 'אבדה: נסרק הקוד "{code}"', body: 'הקוד שלכם "{code}" נסרק.' },
  LOST_CODE_SCANNED_NEAR: {
    title: 'אבדה: נסרק הקוד "{code}"',
    body: 'הקוד שלכם "{code}" נסרק ליד {place}.',
  },
  SCAN_LOCATED: {
    title: 'התקבל מיקום: "{code}"',
    body: 'מי שסרק את הקוד שלכם "{code}" שיתף את המיקום שלו.',
  },
  SCAN_LOCATED_NEAR: {
    title: 'התקבל מיקום: "{code}"',
    body: 'מי שסרק את הקוד שלכם "{code}" שיתף את המיקום שלו, ליד {place}.',
  },
  MESSAGE_RECEIVED: {
    title: 'הודעה בנושא "{code}"',
    body: 'מי שסרק את הקוד שלכם "{code}" כתב לכם.',
  },
  PIN_REJECTED: {
    title: 'קודי PIN שגויים: "{code}"',
    body: 'מישהו הזין קודי PIN שגויים לקוד שלכם "{code}". המידע המוגן לא הוצג.',
  },
  GUEST_BOOK_SIGNED: {
    title: 'רשומה בספר המבקרים של {remembered}',
    body: 'נכתבה רשומה בספר המבקרים של {remembered}. היא תוצג שם לאחר שתאשרו אותה.',
  },
  CARETAKER_NAMED: {
    title: 'אתם יכולים לעזור בתג זיכרון',
    body: 'ניתנה לכם אפשרות לעזור בתג זיכרון: בטקסטים, בתמונות ובספר המבקרים. הוא נמצא ברשימת תגי הזיכרון של אחרים.',
  },
  BIRTH_ANNIVERSARY: {
    title: '{remembered}: יום הולדת לזכור',
    body: 'תאריך הלידה של {remembered}: {date}.',
  },
  DEATH_ANNIVERSARY: {
    title: '{remembered}: יום זיכרון',
    body: 'תאריך הפטירה של {remembered}: {date}.',
  },
  CODE_EXPIRING: {
    title: 'התוקף של "{code}" עומד לפוג',
    body: 'תוקף הקוד שלכם "{code}" יפוג ב־{date}. לאחר מכן הוא לא יציג דבר.',
  },
  CODE_EXPIRED: {
    title: 'התוקף של "{code}" פג',
    body: 'תוקף הקוד שלכם "{code}" פג, והוא כבר לא מציג דבר.',
  },
  DOCUMENT_INFECTED: {
    title: 'קובץ של "{document}" הוסר',
    body: 'בקובץ של המסמך שלכם "{document}" נמצאה תוכנה זדונית, והקובץ הוסר. כדאי לבדוק את המכשיר שממנו הגיע.',
  },
  DOCUMENT_EXPIRING: {
    title: 'התוקף של "{document}" עומד לפוג',
    body: 'המסמך שלכם "{document}" בתוקף עד {date}.',
  },
  DOCUMENT_EXPIRED: {
    title: 'התוקף של "{document}" פג ב־{date}',
    body: 'המסמך שלכם "{document}" בתוקף עד {date}.',
  },
  DOCUMENT_OPENED: {
    title: 'המסמך "{document}" נפתח',
    body: 'מישהו פתח את המסמך שלכם "{document}". באיזו דרך – מופיע ברשימת הקריאות של המסמך.',
  },
  DOCUMENT_GIVEN: {
    title: 'קיבלתם מסמך לקריאה',
    body: 'מישהו נתן לכם מסמך לקריאה. הוא נמצא ברשימת המסמכים שקיבלתם מאחרים.',
  },
  PASSCODE_REJECTED: {
    title: 'קודי גישה שגויים: "{document}"',
    body: 'מישהו הזין קודי גישה שגויים לקישור למסמך שלכם "{document}". המסמך לא נפתח.',
  },
  SCANS_DIGEST: {
    title: {
      one: 'סריקה אחת של הקודים שלכם',
      two: 'שתי סריקות של הקודים שלכם',
      other: '{count} סריקות של הקודים שלכם',
    },
    body: 'מאז {time}: {codes}.',
  },
  SUBSCRIPTION_STARTED: {
    title: 'המינוי שלכם התחיל',
    body: 'עכשיו יש לכם את החבילה "{package}". תודה.',
  },
  SUBSCRIPTION_CHANGED: {
    title: 'המינוי שלכם שונה',
    body: 'עכשיו יש לכם את החבילה "{package}".',
  },
  SUBSCRIPTION_ENDING: {
    title: 'המינוי שלכם מסתיים ב־{date}',
    body: 'החבילה "{package}" מסתיימת בסוף התקופה ששולמה; עד אז עוד אפשר להשאיר אותה. הקודים שלכם ימשיכו לפעול בכל מקרה.',
  },
  SUBSCRIPTION_ENDED: {
    title: 'המינוי שלכם הסתיים',
    body: 'החבילה "{package}" הסתיימה. קודים מודפסים ממשיכים לפעול; מה שמעבר לחבילה החינמית ניתן מעתה לקריאה בלבד.',
  },
  SUBSCRIPTION_PAUSED: {
    title: 'המינוי שלכם מושהה',
    body: 'החבילה "{package}" מושהית. קודים מודפסים ממשיכים לפעול.',
  },
  SUBSCRIPTION_RESUMED: {
    title: 'המינוי שלכם ממשיך',
    body: 'החבילה "{package}" שוב שלכם.',
  },
  TRIAL_ENDING: {
    title: 'תקופת הניסיון שלכם מסתיימת ב־{date}',
    body: 'מאז תחויבו על החבילה "{package}", אלא אם תבטלו אותה קודם.',
  },
  PAYMENT_RECEIVED: {
    title: 'קיבלנו את התשלום שלכם בסך {amount}',
    body: 'תודה. שילמתם {amount} עבור "{package}", {period}. כל החשבוניות נמצאות בחשבון שלכם, תחת "מינוי".',
  },
  PAYMENT_FAILED: {
    title: 'התשלום שלכם בסך {amount} נכשל',
    body: 'לא הצלחנו לגבות {amount} עבור "{package}". בדקו את אמצעי התשלום בחשבון שלכם, תחת "מינוי". קודים מודפסים ממשיכים לפעול.',
  },
  PAYMENT_ACTION_NEEDED: {
    title: 'אשרו תשלום בסך {amount}',
    body: 'הבנק שלכם מבקש שתאשרו את התשלום בסך {amount} עבור "{package}". פתחו את החשבונית בחשבון שלכם, תחת "מינוי".',
  },
  PAYMENT_REFUNDED: {
    title: 'החזר בסך {amount}',
    body: 'החזרנו לכם {amount} עבור "{package}". ייתכן שיעברו כמה ימים עד שתראו זאת בחשבון הבנק.',
  },
  PAYMENT_DISPUTED: {
    title: 'תשלום בסך {amount} במחלוקת',
    body: 'הבנק שלכם מבקש בחזרה {amount} עבור "{package}". אם זו טעות, פנו לבנק.',
  },
  SCANS_DIGEST_NEAR: {
    title: {
      one: 'סריקה אחת של הקודים שלכם',
      two: 'שתי סריקות של הקודים שלכם',
      other: '{count} סריקות של הקודים שלכם',
    },
    body: 'מאז {time}: {codes}. המקום האחרון: ליד {place}.',
  },
  NEW_LOGIN: {
    title: 'כניסה חדשה לחשבון',
    body: 'מישהו נכנס לחשבון שלכם. אם לא אתם נכנסתם, שנו את הסיסמה ונתקו את החיבור.',
  },
  PASSWORD_CHANGED: {
    title: 'הסיסמה שלכם שונתה',
    body: 'כל שאר החיבורים לחשבון נותקו. אם לא אתם עשיתם זאת, בקשו מיד סיסמה חדשה.',
  },
  SECOND_FACTOR_ON: {
    title: 'האימות הדו־שלבי הופעל',
    body: 'כל שאר החיבורים לחשבון נותקו. אם לא אתם עשיתם זאת, שנו את הסיסמה.',
  },
  SECOND_FACTOR_OFF: {
    title: 'האימות הדו־שלבי כובה',
    body: 'כל שאר החיבורים לחשבון נותקו. אם לא אתם עשיתם זאת, שנו את הסיסמה.',
  },
  ROLE_CHANGED: {
    title: 'התפקיד שלכם שונה',
    body: 'מנהל מערכת שינה את התפקיד שלכם. התפקיד החדש: {role}.',
  },
  GLASS_BROKEN: {
    title: 'מנהל מערכת פתח רשומה שלכם',
    body: 'אפשר לקרוא אותה במשך רבע שעה, בשל מקרה חירום שהוצהר. ביומן הביקורת שלכם רשום מי קרא ומה.',
  },
};
