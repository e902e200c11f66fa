import type { PresetMeaning } from '../../declaration/file-words.ts'

// The stages and statuses that Pipedrive, HubSpot and Salesforce come with, in English and as their pages translate them,
// and earlier titles of ours. Only those whose stage there still is are used.

const stages: { readonly [stage: string]: string } = {
  lead: 'Lead In, Contact Made, Appointment Scheduled, appointmentscheduled, Prospecting, Prospect, New, Incoming, Anfrage, Interessent, Termin vereinbart, Terminiert, Kontakt hergestellt, Erstkontakt, Akquise, Cliente potencial, Prospecto, Cita programada, Contacto realizado, Piste, Rendez-vous programmé, Contact établi, Prospection',
  qualified:
    'Qualified To Buy, qualifiedtobuy, Qualification, Needs Analysis, Demo Scheduled, Discovery, Qualifizierung, Bedarfsanalyse, Demo vereinbart, Demo geplant, Calificado, Cualificado para comprar, Análisis de necesidades, Demostración programada, Qualifié pour acheter, Analyse des besoins, Démo programmée',
  proposal:
    'Presentation Scheduled, presentationscheduled, Proposal Made, Proposal Sent, Quote Sent, Value Proposition, Id. Decision Makers, Perception Analysis, Proposal/Price Quote, Angebot erstellt, Angebot gesendet, Angebot abgegeben, Präsentation vereinbart, Präsentation geplant, Nutzenargumentation, Propuesta realizada, Propuesta enviada, Presentación programada, Proposition faite, Proposition envoyée, Présentation programmée',
  negotiation:
    'Negotiations Started, Negotiation/Review, Decision Maker Bought-In, decisionmakerboughtin, In Negotiation, Verhandlungen begonnen, Verhandlung/Prüfung, Entscheidungsträger überzeugt, Negociaciones iniciadas, Negociación/Revisión, Négociations entamées, Négociation/Révision',
  contract:
    'Contract Sent, contractsent, Contract Signed, Vertrag gesendet, Vertrag verschickt, Contrato enviado, Contrat envoyé',
}

const statuses: { readonly [status: string]: string } = {
  completed:
    'Closed Won, closedwon, Won, Deal Won, Abgeschlossen und gewonnen, Abgeschlossen – gewonnen, Geschlossen gewonnen, Cierre ganado, Cerrada ganada, Cerrado ganado, Fermé gagné, Conclu, Fermée/Gagnée, Affaire conclue',
  cancelled:
    'Closed Lost, closedlost, Lost, Deal Lost, Abandoned, Abgeschlossen und verloren, Abgeschlossen – verloren, Geschlossen verloren, Cierre perdido, Cerrada perdida, Cerrado perdido, Fermé perdu, Fermée/Perdue, Affaire perdue',
}

const meaning = (
  words: { readonly [value: string]: string },
  field: string,
): { readonly [word: string]: PresetMeaning } =>
  Object.fromEntries(
    Object.entries(words).flatMap(([value, list]) => list.split(', ').map((word) => [word, { [field]: value }])),
  )

/** The most likely meanings of the words of other programs. */
export const dealFilePresets = {
  stage: { ...meaning(stages, 'stage'), ...meaning(statuses, 'status') },
  status: meaning(statuses, 'status'),
  pipeline: meaning(
    { sales: 'Sales Pipeline, Pipeline, Default, default, Standard, Vertriebspipeline, Verkaufspipeline' },
    'pipeline',
  ),
} as const
