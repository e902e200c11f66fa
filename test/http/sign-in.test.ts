import { room } from '../support/rooms/room.ts'

room(import.meta, ['./sign-in/secrets.test.ts', './sign-in/set-up.test.ts', './sign-in/sign-in.test.ts'])
