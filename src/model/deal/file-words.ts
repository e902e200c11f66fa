import { counterparts, type FileWords, remarks, responsible, spoken } from '../file-words.ts'

/** The words of other programs and people for the fields of deals. */
export const dealFileWords: FileWords = {
  prefixes: ['Deal', 'Opportunity'],
  headings: {
    reference: spoken(
      'Reference, Ref, Deal ID, Order ID, Order number, Order no, Opportunity ID, Record ID, External ID, ID, Auftragsnr, Auftragsnummer, Auftrags-Nr, Bestellnummer, Bestellnr, Angebotsnummer, Angebotsnr, Projektnummer, Vorgangsnummer, Nummer, Nr, Number, No, Numéro, N°, N° de commande, Numéro de commande, Número, Nº, Nº de pedido, Número de pedido',
    ),
    name: spoken(
      'Deal, Deal name, Deal title, Title, Subject, Opportunity, Opportunity name, Project, Project name, Titel, Geschäft, Verkaufschance, Projekt, Projektname, Bezeichnung, Betreff, Auftrag, Vorgang, Titre, Affaire, Objet, Intitulé, Projet, Título, Oportunidad, Negocio, Proyecto, Asunto',
    ),
    price: spoken(
      'Amount, Value, Deal value, Total, Order total, Total amount, Revenue, Betrag, Summe, Wert, Auftragswert, Volumen, Umsatz, Nettobetrag, Gesamtbetrag, Gesamt, Montant, Valeur, Montant total, Importe, Valor, Monto, Importe total',
    ),
    currency: spoken(
      'Currency code, Currency of value, Deal currency, Deal currency code, Amount currency, Währungscode, Whg, Devise, Monnaie, Moneda, Divisa',
    ),
    customerId: counterparts,
    owner: [...spoken('Deal owner, Opportunity owner, Record owner'), ...responsible],
    description: remarks,
    stage: spoken('Deal stage, Pipeline stage, Sales stage, Phase, Verkaufsphase, Stufe, Étape, Etapa, Fase'),
    completionDate: spoken(
      'Close date, Expected close date, Expected close, Closing date, Due date, Due, Abschluss, Abschluss am, Erwarteter Abschluss, Geplanter Abschluss, Voraussichtlicher Abschluss, Fällig, Fällig am, Date de clôture, Clôture, Échéance, Fecha de cierre, Cierre, Cierre previsto, Vencimiento',
    ),
    status: spoken('Deal status, Zustand, Statut, Estado'),
    completedOn: spoken('Won time, Won on, Gewonnen am'),
    closingReason: spoken(
      'Lost reason, Loss reason, Closed lost reason, Verlustgrund, Motif de perte, Motivo de pérdida',
    ),
  },
  values: {
    status: {
      open: ['In progress', 'In Bearbeitung'],
      completed: ['Won', 'Closed won'],
      cancelled: ['Lost', 'Closed lost'],
    },
  },
}
