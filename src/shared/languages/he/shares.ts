import type { Catalogue } from '../catalogue.ts';

export const shares: Catalogue['shares'] = {
  title: 'מסמך בשבילכם',
  text: 'מישהו שיתף אתכם במסמך הזה ורואה מתי הוא נפתח.',
  passcodeText: 'הזינו את קוד הגישה שקיבלתם.',
  passcode: 'קוד גישה',
  passcodeWrong: 'קוד הגישה שגוי.',
  passcodeBusy: 'אנשים אחרים מזינים עכשיו את קוד הגישה. המתינו כמה שניות ונסו שוב.',
  views: {
    one: 'אפשר לפתוח אותו עוד פעם אחת.',
    two: 'אפשר לפתוח אותו עוד פעמיים.',
    other: 'אפשר לפתוח אותו עוד {count} פעמים.',
  },
  until: 'אפשר לפתוח אותו עד {time}.',
  stale: 'הדף היה פתוח זמן רב. נא ללחוץ שוב על הכפתור.',
  goneText: 'אין קישור כזה, או שהוא בוטל. בדקו שיש לכם את הקישור המלא.',
  expiredTitle: 'תוקף הקישור פג',
  expiredText: 'הוא כבר לא פותח דבר. בקשו קישור חדש ממי ששלח אותו.',
  usedTitle: 'הקישור מוצה',
  usedText: 'אפשר היה לפתוח אותו רק מספר מוגבל של פעמים. בקשו קישור חדש ממי ששלח אותו.',
  pasteTitle: 'פתיחת מסמך משותף',
  pasteText: 'הדביקו את הקישור המלא שקיבלתם.',
  pasteLabel: 'קישור',
  pasteButton: 'המשך',
  sectionTitle: 'מסמכים לפתיחה',
  unnamed: 'מסמך',
};
