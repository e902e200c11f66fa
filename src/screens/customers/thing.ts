import { say } from '../../languages/say.ts'
import type { ShownCustomer } from '../parts/shown.ts'
import { thingScreen } from '../thing/thing-screen.ts'

export const customerScreen = thingScreen<ShownCustomer>({
  removal: say('Possible only while no deal refers to this customer. It cannot be undone.'),
})
