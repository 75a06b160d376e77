// The passwords an attacker tries first, so that nobody can choose one; those below 12 characters are refused for their length.

export function isCommonPassword(text: string): boolean {
  const password = text.toLowerCase()
  return COMMON.has(password) || isRun(password) || isRepetition(password) || isWordAndYear(password)
}

// '123456789012', 'zyxwvutsrqpo': each character follows its neighbour, digits going round from 9 to 0.
function isRun(password: string): boolean {
  return [1, -1].some((step) =>
    [...password].every((character, index, all) => {
      const previous = all[index - 1]
      if (previous === undefined) return true
      if (isDigit(previous) && isDigit(character)) return (Number(previous) + step + 10) % 10 === Number(character)
      return isLetter(previous) && isLetter(character) && previous.charCodeAt(0) + step === character.charCodeAt(0)
    }),
  )
}

// 'aaaaaaaaaaaa', 'abc1abc1abc1', 'monkey-monkey', 'passwordpassword1': a short piece or a common word over and over.
function isRepetition(password: string): boolean {
  if (/^(.{1,4}?)\1{2,}$/u.test(password)) return true
  const unit = /^(.{3,15}?)(?:[^a-z0-9]?\1)+[^a-z]*$/u.exec(password)?.[1]
  return unit !== undefined && WORDS.has(unit)
}

// 'welcome@2024!', 'summer-1999': what rules about digits and signs make people write.
function isWordAndYear(password: string): boolean {
  const word = /^([a-z]+)[^a-z0-9]?(?:19|20)\d\d[^a-z0-9]{0,3}$/.exec(password)?.[1]
  return word !== undefined && WORDS.has(word)
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9'
}

function isLetter(character: string): boolean {
  return character >= 'a' && character <= 'z'
}

function words(text: string): Set<string> {
  return new Set(text.trim().split(/\s+/))
}

const WORDS = words(`
  password passwort passw0rd p@ssword p@ssw0rd pass secret letmein welcome admin administrator root login user guest test testing
  default changeme master access account accounts accounting accountant bookkeeper bookkeeping business company office invoice
  invoices finance money dollar dollars payroll quickbooks xero daybook ledger taxes bank banking manager server database system
  qwerty qwertyuiop qwertz azerty asdf asdfgh asdfghjkl zxcvbn zxcvbnm abcdef iloveyou love lovely sunshine princess monkey dragon
  football baseball basketball soccer hockey superman batman spiderman starwars pokemon shadow michael jennifer jessica jordan
  hunter charlie thomas robert daniel ashley nicole andrew joshua matthew anthony liverpool chelsea arsenal flower butterfly
  summer winter spring autumn january february march april june july august september october november december monday
  tuesday wednesday thursday friday saturday sunday chocolate cheese cookie pepper ginger freedom whatever trustno hello
  america canada australia england london newyork texas california florida chicago boston computer internet google facebook
  microsoft windows apple samsung orange purple yellow silver golden diamond forever family mother father jesus christ blessed
`)

const COMMON = words(`
  password1234 password12345 password123456 password1234567 password12345678 password123456789 password123! password123!!
  password1234! password12345! password!123 password@123 password#123 password@1234 password_123 password-123 password.123
  password0000 password1111 password1212 password1313 password2000 password2010 password4321 password6969 password7777
  password9999 password!!!! password!@#$ passwordabcd passwordqwerty passwordadmin passwordlogin passwordsecret
  password1password passw0rd1234 passw0rd12345 passw0rd123! passw0rd123456 p@ssword1234 p@ssword123! p@ssw0rd1234 p@ssw0rd123!
  p@ssw0rd12345 p@ssw0rd123456 p@$$w0rd1234 p@$$word1234 pa$$word1234 pa$$w0rd1234 pa55word1234 pa55w0rd1234 passwort1234
  passwort12345 passwort123! motdepasse123 motdepasse1234 contrasena123 contraseña123 contraseña1234 wachtwoord123
  wachtwoord1234 mypassword12 mypassword123 mypassword1234 mypassword1! mysecretpassword newpassword1 newpassword12
  newpassword123 newpassword1234 oldpassword123 yourpassword yourpassword1 thisismypassword ihatepasswords nopassword123
  thepassword123 supersecret1 supersecret12 supersecret123 secretpassword secretsecret1 secret123456 secret1234567
  secret12345678 topsecret123 letmein12345 letmein123456 letmein1234567 letmeinplease letmeinnow123 letmein!letmein welcome12345
  welcome123456 welcome1234! welcome1234567 welcome@1234 welcome@12345 welcometo123 welcomehome1 welcomeback1 admin1234567
  admin12345678 admin123456789 administrator administrator1 administrator12 administrator123 admin@123456 admin@1234567
  admin!123456 adminadmin12 adminadmin123 adminpassword adminpassword1 rootpassword rootroot1234 superadmin123 superuser123
  systemadmin1 testpassword testpassword1 testpassword123 testing12345 testing123456 test12345678 test123456789 testtest1234
  tester123456 user12345678 user123456789 username1234 usernamepassword guest1234567 guestpassword demopassword changeme1234
  changeme12345 changeme123! changemenow1 changethis123 pleasechange1 defaultpassword default12345 temporary123 temporary1234
  temppassword temppassword1 temppass1234 temppass123! temp12345678 qwertyuiop12 qwertyuiop123 qwertyuiop1234 qwertyuiop12345
  qwertyuiop1! qwertyuiop[] qwertyuiop[]\\ qwertyuiopasdf qwertyuiopasdfgh qwertyuiopasdfghjkl qwertyuiopasdfghjklzxcvbnm
  qwertyuiop1234567890 qwerty123456 qwerty1234567 qwerty12345678 qwerty123456789 qwerty1234567890 qwerty123qwerty qwerty123!@#
  qwertyqwerty1 qwertyqwerty12 qwertyasdfgh qwertyasdfzxcv qwertyasdfghzxcvbn qwerty654321 qwerty987654321 qwertzuiop12
  qwertzuiop123 azertyuiop12 azertyuiop123 azerty123456 azertyuiopqsdf asdfghjkl123 asdfghjkl1234 asdfghjkl12345 asdfghjkl;'1
  asdfghjklzxcvbnm asdfasdfasdf1 asdfgh123456 asdf12345678 asdfqwerzxcv zxcvbnm12345 zxcvbnm123456 zxcvbnm,./12 zxcvbnmasdfghjkl
  zxcvasdfqwer zaq12wsxcde3 zaq1xsw2cde3 zaq1zaq1zaq1! zaq!2wsxcde3 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qaz2wsx3edc! 1qaz!qaz2wsx
  1qazxsw23edc 1qaz2wsx1qaz2wsx !qaz2wsx3edc !qaz@wsx#edc qazwsxedcrfv qazwsxedc123 qazwsxedcrfvtgb qazwsx123456 qaz123wsx456
  q1w2e3r4t5y6 q1w2e3r4t5y6u7 q1w2e3r4t5y6u7i8 q1w2e3r4t5y6u7i8o9p0 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1q2w3e4r5t6y7u8i
  1q2w3e4r5t6y7u8i9o0p a1s2d3f4g5h6 a1b2c3d4e5f6 a1b2c3d4e5f6g7 1a2b3c4d5e6f 1a2b3c4d5e6f7g aa1122334455 aabbccddeeff
  aabbcc112233 abc123abc123! abc123456789 abc1234567890 abcd12345678 abcd123456789 abcde1234567 abcdef123456 abcdefg12345
  abcdefgh1234 abcdefgh12345678 abcdefghijk1 abcdefghijkl1 abcdefghijklm1 123456789abc 123456789abcd 1234567890abc 1234567890ab
  12345678abcd 123456abcdef 12345qwerty! 12345qwertyu 123456qwerty 1234567qwerty 123456789qwe 123456789qwerty 1234567890qwerty
  1234567890qwertyuiop 1234qwerasdf 1234qwerasdfzxcv 123qweasdzxc 123qweasd123 123qwe123qwe! 123qwe!@#qwe 123456password
  12345password 1234password 1234567password 12345678password 123456789password 123456789012! 1234567890123! 123456789123
  1234567891011 123456789101112 12345678910! 12345678910a 1234567812345678 123456123456! 123456654321 1234567890-=
  123456789987654321 1234567887654321 0123456789ab 012345678910 098765432112 0987654321qwe 987654321abc 9876543210abc
  9876543210qwe 112233445566 11223344556677 1122334455667788 112233445566778899 111222333444 111222333444555 111111222222
  111111111112 123123123123! 123321123321! 123454321012 1029384756ab 1029384756102 147258369000 147258369147 159357159357
  159357258456 147852369147 741852963000 741852963741 789456123000 789456123789 321654987321 963852741000 !@#$%^&*()_+
  !@#$%^&*()12 !@#$%^&*()qwe 1234!@#$qwer 1234567890!@# 12345!@#$%qwert iloveyou1234 iloveyou12345 iloveyou123! iloveyou123456
  iloveyousomuch iloveyou4ever iloveyouforever iloveyoubaby iloveyouall1 ilovemymom12 ilovemyfamily ilovemydog12 ilovemykids1
  ilovejesus12 ilovejesus123 jesuslovesme jesusislord1 jesuschrist1 godislove123 godisgood123 godblessme12 trustnoone12
  trustno1trustno1 inlovewithyou sunshine1234 sunshine12345 sunshine123! princess1234 princess12345 princess123! football1234
  football12345 football123! baseball1234 baseball12345 basketball12 basketball123 basketball1! superman1234 superman12345
  batman123456 spiderman123 spiderman1234 starwars1234 starwars12345 maytheforcebewithyou pokemon12345 pokemon123456
  monkey123456 monkey1234567 dragon123456 dragon1234567 dragonball123 dragonballz1 shadow123456 master123456 master1234567
  michael12345 michael123456 jennifer1234 jessica12345 jordan123456 jordan232323 charlie12345 charlie123456 liverpool123
  liverpool1234 chelsea12345 arsenal12345 manchester12 manchester123 manchesterunited butterfly123 butterfly1234 chocolate123
  chocolate1234 cookiemonster cookiemonster1 harrypotter1 harrypotter12 harrypotter123 lordoftherings gameofthrones
  winteriscoming mickeymouse1 mickeymouse12 hellokitty12 hellokitty123 hello1234567 hello12345678 helloworld12 helloworld123
  helloworld1234 helloworld!! hello123hello whatever1234 whatever12345 freedom12345 computer1234 computer12345 internet1234
  google123456 facebook1234 facebook12345 microsoft123 microsoft1234 windows12345 samsung12345 samsung123456 america12345
  canada123456 australia123 australia1234 california12 california123 newyorkcity1 newyork12345 texas1234567 chicago12345
  london123456 england12345 correcthorsebatterystaple correct-horse-battery-staple correcthorse1 correcthorsebattery
  tobeornottobe opensesame12 opensesame123 accounting12 accounting123 accounting1234 accounting1! accountant12 accountant123
  bookkeeper12 bookkeeper123 bookkeeping1 bookkeeping12 quickbooks12 quickbooks123 quickbooks1234 quickbooks1! business1234
  business12345 company12345 company123456 companyname1 companypassword office123456 officepassword invoice12345 finance12345
  money1234567 moneymoney123 payroll12345 daybook12345 daybook123456 daybookpassword ledger123456 manager12345 database1234
  server123456 monday123456 friday123456
`)
