import './sign-in/secrets.test.ts'
import './sign-in/set-up.test.ts'
import './sign-in/sign-in.test.ts'
